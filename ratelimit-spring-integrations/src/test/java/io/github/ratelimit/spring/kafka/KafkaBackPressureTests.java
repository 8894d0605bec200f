package io.github.ratelimit.spring.kafka;

import java.time.Duration;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.kafka.annotation.KafkaListener;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(KafkaBroker.class)
class KafkaBackPressureTests {

	@Test
	void processesEachRecordOnceAndInOrder() {
		KafkaContext.of(Orders.class, "10/500ms").run((application) -> {
			application.send(0, 0, 30);
			application.awaitProcessed(30);
			assertThat(application.processed()).isEqualTo(KafkaApplication.numbers(0, 30));
			assertThat(application.recovered()).isEmpty();
			assertThat(application.admissions().count()).isEqualTo(30);
			assertThat(application.admissions().denials()).isBetween(2, 10);
			application.admissions().assertAtMost(10, Duration.ofMillis(500));
		});
	}

	@Test
	void leavesOtherFailuresToTheApplication() {
		KafkaContext.of(Poisoned.class, "2/300ms").run((application) -> {
			application.send(0, 0, 6);
			application.awaitProcessed(5);
			assertThat(application.processed()).containsExactly("0", "1", "2", "4", "5");
			assertThat(application.recovered()).containsExactly("3");
			assertThat(application.admissions().count()).isEqualTo(7);
			assertThat(application.admissions().denials()).isPositive();
		});
	}

	/** A listener that is limited. */
	static class Orders extends Processed {

		@KafkaListener(topics = "${topic}")
		@RateLimited("orders")
		void process(String order) {
			add(order);
		}

	}

	/** A listener that fails for one record. */
	static class Poisoned extends Processed {

		@KafkaListener(topics = "${topic}")
		@RateLimited("orders")
		void process(String order) {
			if (order.equals("3")) {
				throw new IllegalStateException("poison");
			}
			add(order);
		}

	}

}

package io.github.ratelimit.spring.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.listener.Processed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.BatchListenerFailedException;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
@ExtendWith(KafkaBroker.class)
class KafkaBatchTests {

	private static final String[] BATCHES = { "spring.kafka.listener.type=batch",
			"spring.kafka.consumer.max-poll-records=10" };

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void processesEachBatchOnceAndInOrder(boolean seeks) {
		batches(Batches.class, "10/300ms").run((application) -> {
			application.context().getBean(Recovery.class).setSeekAfterError(seeks);
			application.send(0, 0, 30);
			application.awaitProcessed(30);
			assertThat(application.processed()).isEqualTo(KafkaApplication.numbers(0, 30));
			assertThat(application.recovered()).isEmpty();
			assertThat(application.admissions().denials()).isPositive();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void continuesWithTheRecordThatABatchFailedAt(boolean seeks) {
		batches(Naming.class, "4/300ms").run((application) -> {
			application.context().getBean(Recovery.class).setSeekAfterError(seeks);
			application.send(0, 0, 12);
			application.awaitProcessed(12);
			assertThat(application.processed()).isEqualTo(KafkaApplication.numbers(0, 12));
			assertThat(application.recovered()).isEmpty();
			assertThat(application.admissions().count()).isEqualTo(12);
			application.admissions().assertAtMost(4, Duration.ofMillis(300));
		});
	}

	@Test
	void commitsWhatABatchProcessed() {
		String topic = KafkaBroker.topic(1);
		KafkaContext.of(topic, Naming.class, "4/1h").with(BATCHES).run((application) -> {
			application.send(0, 0, 6);
			application.await(() -> application.admissions().denials() > 0);
		});
		KafkaContext.of(topic, Naming.class, "10/1h").with(BATCHES).run((application) -> {
			application.awaitProcessed(2);
			assertThat(application.processed()).containsExactly("4", "5");
		});
	}

	@Test
	void waitsWithinTheTriesOfTheApplicationsHandler() {
		batches(FailingOnce.class, "1/400ms").run((application) -> {
			application.send(0, 0, 1);
			application.awaitProcessed(1);
			assertThat(application.recovered()).isEmpty();
			assertThat(application.admissions().count()).isEqualTo(2);
			assertThat(application.admissions().denials()).isPositive();
		});
	}

	@Test
	void keepsABatchThatIsDeniedInTheLastTryWhenTheContainerStops() {
		String topic = KafkaBroker.topic(1);
		KafkaContext.of(topic, FailingOnce.class, "1/1h").with(BATCHES).run((application) -> {
			application.send(0, 0, 1);
			application.await(() -> application.admissions().denials() > 0);
			application.container().stop();
			assertThat(application.recovered()).isEmpty();
			assertThat(application.processed()).isEmpty();
		});
		KafkaContext.of(topic, FailingOnce.class, "10/1h").with(BATCHES).run((application) -> {
			application.awaitProcessed(1);
			assertThat(application.recovered()).isEmpty();
		});
	}

	private static KafkaContext batches(Class<? extends Processed> listener, String limits) {
		return KafkaContext.of(listener, limits).with(BATCHES);
	}

	/** A listener of batches that cost as many permits as they have records. */
	static class Batches extends Processed {

		@KafkaListener(topics = "${topic}")
		@RateLimited(policy = "orders", cost = "#orders.size()")
		void process(List<String> orders) {
			orders.forEach(this::add);
		}

	}

	/**
	 * A listener of batches that is limited for each record, and names the denied one.
	 */
	static class Naming extends Processed {

		private final ObjectProvider<Naming> self;

		Naming(ObjectProvider<Naming> self) {
			this.self = self;
		}

		@KafkaListener(topics = "${topic}")
		void process(List<String> orders) {
			for (int i = 0; i < orders.size(); i++) {
				try {
					this.self.getObject().processOne(orders.get(i));
				}
				catch (RuntimeException ex) {
					throw new BatchListenerFailedException("failed", ex, i);
				}
			}
		}

		@RateLimited("orders")
		void processOne(String order) {
			add(order);
		}

	}

	/** A listener of batches that fails at its first call. */
	static class FailingOnce extends Processed {

		private final AtomicInteger calls = new AtomicInteger();

		@KafkaListener(topics = "${topic}")
		@RateLimited("orders")
		void process(List<String> orders) {
			if (this.calls.incrementAndGet() == 1) {
				throw new IllegalStateException("not yet");
			}
			orders.forEach(this::add);
		}

	}

}

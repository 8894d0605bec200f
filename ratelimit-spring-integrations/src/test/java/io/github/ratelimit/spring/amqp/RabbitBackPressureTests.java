package io.github.ratelimit.spring.amqp;

import java.time.Duration;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.listener.Processed;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith({ AmqpBroker.class, OutputCaptureExtension.class })
class RabbitBackPressureTests {

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void processesEachMessageOnceAndInOrder(String type, CapturedOutput output) {
		AmqpContext.of(Orders.class, "10/500ms").with("spring.rabbitmq.listener.type=" + type).run((application) -> {
			application.send(0, 30);
			application.awaitProcessed(30);
			assertThat(application.processed()).isEqualTo(AmqpApplication.numbers(0, 30));
			assertThat(application.admissions().count()).isEqualTo(30);
			assertThat(application.admissions().denials()).isBetween(2, 10);
			application.admissions().assertAtMost(10, Duration.ofMillis(500));
		});
		assertThat(output).doesNotContain(" ERROR ", " WARN ", "RateLimitExceededException");
	}

	/** A listener that is limited. */
	static class Orders extends Processed {

		@RabbitListener(queues = "${queue}")
		@RateLimited("orders")
		void process(String order) {
			add(order);
		}

	}

}

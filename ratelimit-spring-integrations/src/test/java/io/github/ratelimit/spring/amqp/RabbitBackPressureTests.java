package io.github.ratelimit.spring.amqp;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.Channel;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.listener.Processed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.messaging.handler.annotation.Header;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
@ExtendWith({ AmqpBroker.class, OutputCaptureExtension.class })
class RabbitBackPressureTests {

	private static final String RETRIES = "spring.rabbitmq.listener.simple.retry.enabled=true";

	private static final String TWO_TRIES = "spring.rabbitmq.listener.simple.retry.max-retries=1";

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void processesEachMessageOnceAndInOrder(String type, CapturedOutput output) {
		AmqpContext.of(Orders.class, "10/500ms").with("spring.rabbitmq.listener.type=" + type).run((application) -> {
			application.sendNumbers(0, 30);
			application.awaitProcessed(30);
			assertThat(application.processed()).isEqualTo(AmqpApplication.numbers(0, 30));
			assertThat(application.admissions().count()).isEqualTo(30);
			assertThat(application.admissions().denials()).isBetween(1, 29);
			application.admissions().assertAtMost(10, Duration.ofMillis(500));
		});
		assertThat(output).doesNotContain(" ERROR ", " WARN ", "RateLimitExceededException");
	}

	@Test
	void leavesOtherFailuresToTheRetriesOfTheApplication() {
		AmqpContext.of(Poisoned.class, "2/200ms")
			.with(RETRIES, TWO_TRIES, "spring.rabbitmq.listener.simple.retry.initial-interval=1ms")
			.run((application) -> {
				application.sendNumbers(0, 6);
				application.awaitProcessed(5);
				assertThat(application.processed()).containsExactly("0", "1", "2", "4", "5");
				assertThat(application.context().getBean(Poisoned.class).failures()).isEqualTo(2);
				assertThat(application.admissions().count()).isEqualTo(7);
			});
	}

	@ParameterizedTest
	@CsvSource({ "simple, false", "simple, true", "direct, false", "direct, true" })
	void returnsTheMessageWhenTheContainerStops(String type, boolean retries, CapturedOutput output) {
		AmqpContext.of(Orders.class, "1/1h")
			.with("spring.rabbitmq.listener.type=" + type,
					"spring.rabbitmq.listener." + type + ".retry.enabled=" + retries,
					"spring.rabbitmq.listener." + type + ".default-requeue-rejected=false")
			.run((application) -> {
				application.sendNumbers(0, 4);
				application.await(() -> application.admissions().denials() == 1);
				long start = System.nanoTime();
				application.container().stop();
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
				assertThat(application.processed()).containsExactly("0");
				assertThat(application.drain(3)).containsExactly("1", "2", "3");
			});
		assertThat(output).doesNotContain(" ERROR ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void lateMessagesDoNotOvertakeWhenTheContainerStops(String type) {
		AmqpContext.of(ByKey.class, "1/1h").with("spring.rabbitmq.listener.type=" + type).run((application) -> {
			application.send("a1", "a2", "b1", "b2");
			application.await(() -> application.admissions().denials() == 1);
			application.container().stop();
			assertThat(application.processed()).containsExactly("a1");
			assertThat(application.drain(3)).containsExactly("a2", "b1", "b2");
		});
	}

	@Test
	void forgetsAMessageWhoseChannelCloses() {
		AmqpContext.of(Orders.class, "1/700ms").run((application) -> {
			application.send("0", "1");
			application.await(() -> application.admissions().denials() == 1);
			application.context().getBean(CachingConnectionFactory.class).resetConnection();
			application.awaitProcessed(2);
			application.send("2");
			application.awaitProcessed(3);
			assertThat(application.processed()).containsExactly("0", "1", "2");
		});
	}

	@Test
	void returnsAMessageThatWasHeldForTooLong() {
		AmqpContext.of(Orders.class, "1/1h").with(Impatient.class).with(RETRIES).run((application) -> {
			application.sendNumbers(0, 4);
			for (int processed = 1; processed < 4; processed++) {
				int denials = application.admissions().denials();
				application.await(() -> application.admissions().denials() > denials + 2);
				assertThat(application.processed()).isEqualTo(AmqpApplication.numbers(0, processed));
				application.context().getBean(RateLimiter.class).reset("orders", "global");
				application.awaitProcessed(processed + 1);
			}
			assertThat(application.processed()).containsExactly("0", "1", "2", "3");
		});
	}

	@Test
	void limitsConcurrentConsumersTogether() {
		AmqpContext.of(Orders.class, "4/300ms")
			.with("spring.rabbitmq.listener.simple.concurrency=2")
			.run((application) -> {
				application.sendNumbers(0, 12);
				application.awaitProcessed(12);
				assertThat(application.processed()).containsExactlyInAnyOrderElementsOf(AmqpApplication.numbers(0, 12));
				application.admissions().assertAtMost(4, Duration.ofMillis(300));
			});
	}

	@Test
	void holdsBatches() {
		AmqpContext.of(Batches.class, "4/300ms")
			.with("spring.rabbitmq.listener.simple.consumer-batch-enabled=true",
					"spring.rabbitmq.listener.simple.batch-size=4")
			.run((application) -> {
				application.sendNumbers(0, 12);
				application.awaitProcessed(12);
				assertThat(application.processed()).isEqualTo(AmqpApplication.numbers(0, 12));
			});
	}

	@Test
	void holdsMessagesThatTheListenerAcknowledges() {
		AmqpContext.of(Acknowledging.class, "2/200ms")
			.with("spring.rabbitmq.listener.simple.acknowledge-mode=manual")
			.run((application) -> {
				application.sendNumbers(0, 5);
				application.awaitProcessed(5);
				assertThat(application.processed()).isEqualTo(AmqpApplication.numbers(0, 5));
			});
	}

	@Test
	void returnsAMessageWithoutTheAdvice() {
		AmqpContext.of(Orders.class, "1/1h").with(Unadvised.class).run((application) -> {
			application.sendNumbers(0, 2);
			application.await(() -> application.admissions().denials() == 1);
			application.container().stop();
			assertThat(application.drain(1)).containsExactly("1");
		});
	}

	/** A listener that is limited. */
	static class Orders extends Processed {

		@RabbitListener(queues = "${queue}")
		@RateLimited("orders")
		void process(String order) {
			add(order);
		}

	}

	/** A listener that is limited for each first letter. */
	static class ByKey extends Processed {

		@RabbitListener(queues = "${queue}")
		@RateLimited(policy = "orders", key = "#order.charAt(0)")
		void process(String order) {
			add(order);
		}

	}

	/** A listener that fails for one message. */
	static class Poisoned extends Processed {

		private final AtomicInteger failures = new AtomicInteger();

		@RabbitListener(queues = "${queue}")
		@RateLimited("orders")
		void process(String order) {
			if (order.equals("3")) {
				this.failures.incrementAndGet();
				throw new IllegalStateException("poison");
			}
			add(order);
		}

		int failures() {
			return this.failures.get();
		}

	}

	/** A listener of batches that cost as many permits as they have messages. */
	static class Batches extends Processed {

		@RabbitListener(queues = "${queue}")
		@RateLimited(policy = "orders", cost = "#orders.size()")
		void process(List<String> orders) {
			orders.forEach(this::add);
		}

	}

	/** A listener that acknowledges messages itself. */
	static class Acknowledging extends Processed {

		@RabbitListener(queues = "${queue}")
		@RateLimited("orders")
		void process(String order, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) throws Exception {
			add(order);
			channel.basicAck(tag, false);
		}

	}

	/** An application that holds messages for a short time. */
	@Configuration(proxyBeanMethods = false)
	static class Impatient {

		@Bean
		RabbitBackPressure backPressure(ReturnAdvice advice) {
			return new RabbitBackPressure(advice, Duration.ofMillis(100));
		}

	}

	/** An application that replaces the advice of its containers. */
	@Configuration(proxyBeanMethods = false)
	static class Unadvised {

		@Bean
		@Primary
		ContainerCustomizer<SimpleMessageListenerContainer> replacement() {
			return (container) -> container.setAdviceChain();
		}

	}

}

package io.github.ratelimit.spring.kafka;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.listener.Processed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.support.Acknowledgment;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
@ExtendWith({ KafkaBroker.class, OutputCaptureExtension.class })
class KafkaBackPressureTests {

	@Test
	void processesEachRecordOnceAndInOrder(CapturedOutput output) {
		KafkaContext.of(Orders.class, "10/500ms").run((application) -> {
			application.send(0, 0, 30);
			application.awaitProcessed(30);
			assertThat(application.processed()).isEqualTo(KafkaApplication.numbers(0, 30));
			assertThat(application.recovered()).isEmpty();
			assertThat(application.admissions().count()).isEqualTo(30);
			assertThat(application.admissions().denials()).isBetween(1, 10);
			application.admissions().assertAtMost(10, Duration.ofMillis(500));
		});
		assertThat(output).doesNotContain(" ERROR ", " WARN ", "RateLimitExceededException");
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

	@Test
	void leavesRefusalsToTheApplication() {
		KafkaContext.of(Orders.class, "10/1m")
			.with("ratelimit.policies.orders.blocked=header:tenant:b")
			.run((application) -> {
				application.send(0, "b", "0");
				application.send(0, "a", "1");
				application.awaitProcessed(1);
				assertThat(application.recovered()).containsExactly("0");
			});
	}

	@Test
	void keepsADeniedRecordForTheNextStart() {
		String topic = KafkaBroker.topic(1);
		KafkaContext.of(topic, Orders.class, "1/1h").run((application) -> {
			application.send(0, 0, 3);
			application.await(() -> application.isPaused(0));
			assertThat(application.admissions().denials()).isOne();
			long start = System.nanoTime();
			application.container().stop();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
			assertThat(application.processed()).containsExactly("0");
		});
		KafkaContext.of(topic, Orders.class, "10/1h").run((application) -> {
			application.awaitProcessed(2);
			assertThat(application.processed()).containsExactly("1", "2");
		});
	}

	@Test
	void staysInItsGroupForLongerThanTheConsumerMayNotPoll(CapturedOutput output) {
		KafkaContext.of(Orders.class, "1/900ms")
			.with("spring.kafka.consumer.properties.max.poll.interval.ms=400",
					"spring.kafka.listener.poll-timeout=100ms")
			.run((application) -> {
				application.send(0, 0, 3);
				application.awaitProcessed(3);
				assertThat(application.processed()).containsExactly("0", "1", "2");
				assertThat(output).doesNotContain("partitions lost", "partitions revoked");
			});
	}

	@Test
	void pausesOnlyThePartitionOfTheDeniedRecord() {
		KafkaContext.of(KafkaBroker.topic(2), Orders.class, "1/1h")
			.with("ratelimit.policies.orders.key=header:tenant")
			.run((application) -> {
				application.send(0, "a", "a1");
				application.send(0, "a", "a2");
				application.await(() -> application.isPaused(0));
				application.send(1, "b", "b1");
				application.awaitProcessed(2);
				assertThat(application.processed()).containsExactly("a1", "b1");
				assertThat(application.isPaused(0)).isTrue();
				assertThat(application.isPaused(1)).isFalse();
			});
	}

	@Test
	void limitsConcurrentConsumersTogether() {
		KafkaContext.of(KafkaBroker.topic(2), Orders.class, "4/400ms")
			.with("spring.kafka.listener.concurrency=2")
			.run((application) -> {
				application.send(0, 0, 8);
				application.send(1, 100, 108);
				application.awaitProcessed(16);
				List<String> processed = application.processed();
				assertThat(processed).filteredOn((order) -> order.length() == 1)
					.isEqualTo(KafkaApplication.numbers(0, 8));
				assertThat(processed).filteredOn((order) -> order.length() == 3)
					.isEqualTo(KafkaApplication.numbers(100, 108));
				assertThat(application.admissions().count()).isEqualTo(16);
				application.admissions().assertAtMost(4, Duration.ofMillis(400));
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "record", "manual-immediate" })
	void worksInOtherModesOfAcknowledgement(String mode) {
		KafkaContext.of(Acknowledging.class, "2/200ms")
			.with("spring.kafka.listener.ack-mode=" + mode)
			.run((application) -> {
				application.send(0, 0, 5);
				application.awaitProcessed(5);
				assertThat(application.processed()).isEqualTo(KafkaApplication.numbers(0, 5));
				assertThat(application.admissions().count()).isEqualTo(5);
			});
	}

	@Test
	void worksWithAHandlerThatDoesNotSeek() {
		KafkaContext.of(Poisoned.class, "2/200ms").run((application) -> {
			application.context().getBean(Recovery.class).setSeekAfterError(false);
			application.send(0, 0, 6);
			application.awaitProcessed(5);
			assertThat(application.processed()).containsExactly("0", "1", "2", "4", "5");
			assertThat(application.recovered()).containsExactly("3");
		});
	}

	@Test
	void keepsTheInterceptorOfTheApplication() {
		KafkaContext.of(Orders.class, "10/1m")
			.with(Interceptors.class)
			.with("ratelimit.policies.orders.blocked=header:tenant:b")
			.run((application) -> {
				application.send(0, "b", "refused");
				application.send(0, 0, 2);
				application.awaitProcessed(1);
				assertThat(application.processed()).containsExactly("1");
				assertThat(application.recovered()).containsExactly("refused");
			});
	}

	@Test
	void leavesContainersAloneWhereTurnedOff() {
		KafkaContext.of(Orders.class, "1/1h").with("ratelimit.enabled=false").run((application) -> {
			AbstractMessageListenerContainer<?, ?> container = (AbstractMessageListenerContainer<?, ?>) application
				.container();
			assertThat(container.getCommonErrorHandler()).isInstanceOf(Recovery.class);
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

	/** A listener that acknowledges records itself, if it must. */
	static class Acknowledging extends Processed {

		@KafkaListener(topics = "${topic}")
		@RateLimited("orders")
		void process(String order, Acknowledgment acknowledgment) {
			add(order);
			acknowledgment.acknowledge();
		}

	}

	/** An application with an interceptor of its own. */
	@Configuration(proxyBeanMethods = false)
	static class Interceptors {

		@Bean
		RecordInterceptor<Object, Object> interceptor() {
			return (record, consumer) -> record.value().equals("0") ? null : record;
		}

	}

}

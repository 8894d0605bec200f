package io.github.ratelimit.spring.kafka;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.listener.Processed;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.KafkaListenerConfigUtils;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Containers of other kinds, and what happens to them while a partition pauses.
 */
@Tag("long")
@ExtendWith(KafkaBroker.class)
class KafkaContainersTests {

	@Test
	void keepsOrderWhenPartitionsMove() {
		KafkaContext.of(KafkaBroker.topic(2), Moving.class, "2/400ms").run((application) -> {
			application.send(0, 0, 5);
			application.send(1, 100, 105);
			application.await(() -> application.isPaused(0) || application.isPaused(1));
			application.container("second").start();
			application.awaitProcessed(10);
			assertThat(application.processed()).doesNotHaveDuplicates();
			assertThat(application.processed()).filteredOn((order) -> order.length() == 1)
				.isEqualTo(KafkaApplication.numbers(0, 5));
			assertThat(application.processed()).filteredOn((order) -> order.length() == 3)
				.isEqualTo(KafkaApplication.numbers(100, 105));
		});
	}

	@Test
	void limitsListenersThatAreRegisteredLater() {
		KafkaContext.of(KafkaBackPressureTests.Orders.class, "2/300ms").with(Enabling.class).run((application) -> {
			application.container().stop();
			Later later = application.context().getBean(Later.class);
			application.send(0, 0, 5);
			application.await(() -> later.values().size() == 5);
			assertThat(later.values()).isEqualTo(KafkaApplication.numbers(0, 5));
			assertThat(application.admissions().denials()).isPositive();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void worksInTransactions(boolean recovery) {
		KafkaContext.of(KafkaBackPressureTests.Orders.class, "2/300ms")
			.with("spring.kafka.producer.transaction-id-prefix=tx-",
					"spring.kafka.consumer.isolation-level=read_committed", "recovery=" + recovery)
			.run((application) -> {
				application.send(0, 0, 6);
				application.awaitProcessed(6);
				assertThat(application.processed()).isEqualTo(KafkaApplication.numbers(0, 6));
				assertThat(application.admissions().count()).isEqualTo(6);
				assertThat(application.admissions().denials()).isLessThan(10);
			});
	}

	@Test
	void triesAgainAfterTheLongestPause() {
		KafkaContext.of(KafkaBackPressureTests.Orders.class, "1/1h").with(Impatient.class).run((application) -> {
			application.send(0, 0, 2);
			application.await(() -> application.admissions().denials() > 2);
			application.context().getBean(RateLimiter.class).reset("orders", "global");
			application.awaitProcessed(2);
		});
	}

	@Test
	void leavesARegistryOfTheApplicationAlone() {
		KafkaContext.of(KafkaBackPressureTests.Orders.class, "1/1h")
			.with(OwnRegistry.class)
			.run((application) -> assertThat(application.registry()).isExactlyInstanceOf(OwnRegistry.class));
	}

	@Test
	void doesNotSendDeniedRecordsToATopicForRetries() {
		KafkaContext.of(Retryable.class, "1/200ms").run((application) -> {
			application.send(0, 0, 4);
			application.awaitProcessed(4);
			assertThat(application.processed()).containsExactly("0", "1", "2", "3");
		});
	}

	@Test
	void losesNothingInListenersThatReturnAFuture() {
		KafkaContext.of(Futures.class, "2/200ms").run((application) -> {
			application.send(0, 0, 6);
			application.awaitProcessed(6);
			assertThat(application.processed()).isEqualTo(KafkaApplication.numbers(0, 6));
			assertThat(application.recovered()).isEmpty();
		});
	}

	@Test
	void pausesIfTheStoreFails() {
		KafkaContext.of(KafkaBackPressureTests.Orders.class, "10/1m")
			.with("ratelimit.policies.orders.on-store-failure=deny")
			.with(FailingOnce.class)
			.run((application) -> {
				application.send(0, 0, 2);
				application.await(() -> application.isPaused(0));
				application.awaitProcessed(2);
				assertThat(application.processed()).containsExactly("0", "1");
				assertThat(application.recovered()).isEmpty();
			});
	}

	/** Two listeners of a group, one of which starts later. */
	static class Moving extends Processed {

		@KafkaListener(id = "first", topics = "${topic}", groupId = "${topic}")
		@KafkaListener(id = "second", topics = "${topic}", groupId = "${topic}", autoStartup = "false")
		@RateLimited("orders")
		void process(String order) {
			add(order);
		}

	}

	/** A listener whose failed records go to another topic. */
	static class Retryable extends Processed {

		@RetryableTopic(attempts = "2")
		@KafkaListener(topics = "${topic}")
		@RateLimited("orders")
		void process(String order) {
			add(order);
		}

	}

	/** A listener that returns a future, and calls a limited method before. */
	static class Futures extends Processed {

		private final ObjectProvider<Futures> self;

		Futures(ObjectProvider<Futures> self) {
			this.self = self;
		}

		@KafkaListener(topics = "${topic}")
		CompletableFuture<Void> process(String order) {
			this.self.getObject().begin(order);
			return CompletableFuture.completedFuture(null);
		}

		@RateLimited("orders")
		void begin(String order) {
			add(order);
		}

	}

	/** A listener of which each instance registers a container. */
	static class Later extends Processed {

		@KafkaListener(topics = "${topic}")
		@RateLimited("orders")
		void process(String order) {
			add(order);
		}

	}

	/** An application that enables listeners itself. */
	@Configuration(proxyBeanMethods = false)
	@EnableKafka
	static class Enabling {

		@Bean
		@Lazy
		Later later() {
			return new Later();
		}

	}

	/** An application with a store that fails at first. */
	@Configuration(proxyBeanMethods = false)
	static class FailingOnce {

		@Bean
		TestStore store() {
			AtomicBoolean first = new AtomicBoolean(true);
			return new TestStore().fail((request) -> first.getAndSet(false));
		}

	}

	/** An application that pauses for a short time. */
	@Configuration(proxyBeanMethods = false)
	static class Impatient {

		@Bean
		PartitionPauses pauses() {
			return new PartitionPauses(Duration.ofMillis(50));
		}

	}

	/** A registry of the application's own. */
	@Component(KafkaListenerConfigUtils.KAFKA_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME)
	static class OwnRegistry extends KafkaListenerEndpointRegistry {

	}

}

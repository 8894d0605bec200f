package io.github.ratelimit.spring.kafka;

import java.time.Duration;
import java.util.Objects;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.listener.Processed;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Partitions that the application pauses itself.
 */
@Tag("long")
@ExtendWith(KafkaBroker.class)
class KafkaOwnPausesTests {

	@Test
	void leavesAPartitionPausedThatTheApplicationPaused() {
		KafkaContext.of(Pausing.class, "1/1h")
			.with("ratelimit.policies.orders.key=global", "spring.kafka.listener.poll-timeout=50ms")
			.with(ShortPauses.class)
			.run((application) -> {
				application.send(0, 0, 2);
				application.container().start();
				application.await(() -> application.admissions().denials() > 0);
				application.await(() -> application.isPaused(0));
				Awaitility.await()
					.during(Duration.ofMillis(300))
					.until(() -> application.isPaused(0) && application.admissions().denials() == 1);
				application.context().getBean(RateLimiter.class).reset("orders", "global");
				application.container().resumePartition(new TopicPartition(application.topic(), 0));
				application.awaitProcessed(2);
				assertThat(application.processed()).isEqualTo(KafkaApplication.numbers(0, 2));
			});
	}

	/** A listener that pauses its partition when it processes the first record. */
	static class Pausing extends Processed {

		private final KafkaListenerEndpointRegistry registry;

		Pausing(KafkaListenerEndpointRegistry registry) {
			this.registry = registry;
		}

		@KafkaListener(id = "pausing", topics = "${topic}", groupId = "${topic}", autoStartup = "false")
		@RateLimited("orders")
		void process(ConsumerRecord<String, String> order) {
			add(order.value());
			if (order.offset() == 0) {
				Objects.requireNonNull(this.registry.getListenerContainer("pausing"))
					.pausePartition(new TopicPartition(order.topic(), order.partition()));
			}
		}

	}

	/** Pauses that end at once. */
	@Configuration(proxyBeanMethods = false)
	static class ShortPauses {

		@Bean
		PartitionPauses pauses() {
			return new PartitionPauses(Duration.ofMillis(1));
		}

	}

}

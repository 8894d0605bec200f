package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.spring.kafka.BackPressureKafkaRegistry;
import io.github.ratelimit.spring.kafka.KafkaBackPressure;
import io.github.ratelimit.spring.kafka.PartitionPauses;
import io.github.ratelimit.spring.kafka.RecordCallers;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.KafkaListenerConfigUtils;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/**
 * {@link AutoConfiguration Auto-configuration} for back-pressure in Kafka listeners.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnClass(KafkaListenerEndpointRegistry.class)
public final class RateLimitKafkaAutoConfiguration {

	@Bean("io.github.ratelimit.kafkaRegistryPostProcessor")
	static ListenerRegistryPostProcessor rateLimitKafkaRegistryPostProcessor() {
		return new ListenerRegistryPostProcessor(KafkaListenerConfigUtils.KAFKA_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME,
				KafkaListenerEndpointRegistry.class, BackPressureKafkaRegistry.class);
	}

	@Bean("io.github.ratelimit.kafkaBackPressure")
	KafkaBackPressure rateLimitKafkaBackPressure(PartitionPauses pauses, RecordCallers callers) {
		return new KafkaBackPressure(pauses, callers);
	}

	@Bean("io.github.ratelimit.partitionPauses")
	@ConditionalOnMissingBean
	PartitionPauses rateLimitPartitionPauses() {
		return new PartitionPauses(PartitionPauses.LONGEST);
	}

	@Bean("io.github.ratelimit.recordCallers")
	RecordCallers rateLimitRecordCallers() {
		return new RecordCallers();
	}

}

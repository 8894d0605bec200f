package io.github.ratelimit.spring.kafka;

import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * A registry of listener containers, each of which gets back-pressure before it starts,
 * no matter when it is registered.
 */
public final class BackPressureKafkaRegistry extends KafkaListenerEndpointRegistry {

	private final KafkaBackPressure backPressure;

	/**
	 * Creates a registry.
	 * @param backPressure adds back-pressure to containers
	 */
	public BackPressureKafkaRegistry(KafkaBackPressure backPressure) {
		this.backPressure = backPressure;
	}

	@Override
	protected MessageListenerContainer createListenerContainer(KafkaListenerEndpoint endpoint,
			KafkaListenerContainerFactory<?> factory) {
		MessageListenerContainer container = super.createListenerContainer(endpoint, factory);
		this.backPressure.addTo(container);
		return container;
	}

}

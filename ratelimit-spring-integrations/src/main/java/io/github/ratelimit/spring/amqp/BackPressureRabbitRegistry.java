package io.github.ratelimit.spring.amqp;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;

/**
 * A registry of listener containers, each of which gets back-pressure before it starts,
 * no matter when it is registered.
 */
public final class BackPressureRabbitRegistry extends RabbitListenerEndpointRegistry {

	private final RabbitBackPressure backPressure;

	/**
	 * Creates a registry.
	 * @param backPressure adds back-pressure to containers
	 */
	public BackPressureRabbitRegistry(RabbitBackPressure backPressure) {
		this.backPressure = backPressure;
	}

	@Override
	protected MessageListenerContainer createListenerContainer(RabbitListenerEndpoint endpoint,
			RabbitListenerContainerFactory<?> factory) {
		MessageListenerContainer container = super.createListenerContainer(endpoint, factory);
		this.backPressure.addTo(container);
		return container;
	}

}

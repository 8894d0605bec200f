package io.github.ratelimit.spring.amqp;

import java.time.Duration;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * The back-pressure of listener containers. It wraps the listener itself, behind all
 * advice, so that the application's own retries see everything but denials.
 */
public final class RabbitBackPressure {

	/**
	 * The longest time to hold a message. It is well below the 30 minutes after which a
	 * broker closes the channel of a consumer that does not acknowledge.
	 */
	public static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

	private final ReturnAdvice advice;

	private final Duration longestHold;

	/**
	 * Creates the back-pressure.
	 * @param advice returns messages to their queue
	 * @param longestHold the longest time to hold a message, which then returns to its
	 * queue
	 */
	public RabbitBackPressure(ReturnAdvice advice, Duration longestHold) {
		this.advice = advice;
		this.longestHold = longestHold;
	}

	/**
	 * Adds back-pressure to a container that has not started.
	 * @param container a container with its listener
	 */
	void addTo(MessageListenerContainer container) {
		if (container instanceof AbstractMessageListenerContainer configurable
				&& configurable.getMessageListener() instanceof ChannelAwareMessageListener listener) {
			HeldDeliveries deliveries = new HeldDeliveries(configurable, this.advice, this.longestHold);
			configurable.setMessageListener((listener instanceof ChannelAwareBatchMessageListener batches)
					? new HoldingBatchListener(batches, deliveries) : new HoldingListener(listener, deliveries));
		}
	}

}

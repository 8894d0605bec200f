package io.github.ratelimit.spring.amqp;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import io.github.ratelimit.spring.listener.RetryPause;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.listener.MessageRejectedWhileStoppingException;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * The deliveries of a container, each of which is held on its consumer's thread while it
 * is denied. A delivery goes back to its queue if the container stops, the channel closes
 * or the hold takes too long.
 */
final class HeldDeliveries {

	/** The time between looks at the container, which does not notify of its stop. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final AbstractMessageListenerContainer container;

	private final ReturnAdvice advice;

	private final long longestHoldNanos;

	/** Set once a delivery has gone back, as those prefetched would overtake it. */
	private volatile boolean returning;

	HeldDeliveries(AbstractMessageListenerContainer container, ReturnAdvice advice, Duration longestHold) {
		this.container = container;
		this.advice = advice;
		this.longestHoldNanos = longestHold.toNanos();
	}

	/**
	 * Calls the listener until it is not denied.
	 */
	<E extends Exception> void process(Delivery<E> delivery, @Nullable Channel channel) throws E {
		if (this.returning && !this.container.isActive()) {
			this.advice.giveBack(new MessageRejectedWhileStoppingException());
			return;
		}
		this.returning = false;
		long deadline = System.nanoTime() + this.longestHoldNanos;
		Duration pause = tryCall(delivery);
		while (pause != null) {
			AmqpException reason = tryWait(System.nanoTime() + pause.toNanos(), deadline, channel);
			if (reason != null) {
				this.advice.giveBack(reason);
				return;
			}
			pause = tryCall(delivery);
		}
	}

	/** Returns the time to wait if the call was denied. */
	private static <E extends Exception> @Nullable Duration tryCall(Delivery<E> delivery) throws E {
		try {
			delivery.process();
			return null;
		}
		catch (Exception ex) {
			Duration pause = RetryPause.after(ex);
			if (pause == null) {
				throw ex;
			}
			return pause;
		}
	}

	/** Returns the reason if the delivery has to go back instead. */
	private @Nullable AmqpException tryWait(long end, long deadline, @Nullable Channel channel) {
		for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
			AmqpException reason = reasonToReturn(deadline, channel);
			if (reason != null) {
				return reason;
			}
			try {
				TimeUnit.NANOSECONDS.sleep(Math.min(left, LOOK_NANOS));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return new MessageRejectedWhileStoppingException();
			}
		}
		return reasonToReturn(deadline, channel);
	}

	private @Nullable AmqpException reasonToReturn(long deadline, @Nullable Channel channel) {
		if (!this.container.isActive()) {
			this.returning = true;
			return new MessageRejectedWhileStoppingException();
		}
		if (channel != null && !channel.isOpen()) {
			return new ImmediateRequeueAmqpException("The channel closed while a rate limit denied the message");
		}
		return (System.nanoTime() - deadline > 0 && !this.container.getAcknowledgeMode().isManual())
				? new ImmediateRequeueAmqpException("A rate limit denied the message for too long") : null;
	}

	/**
	 * A call of a listener.
	 *
	 * @param <E> the exceptions that it throws
	 */
	interface Delivery<E extends Exception> {

		void process() throws E;

	}

}

package io.github.ratelimit.spring.kafka;

import java.time.Duration;

import io.github.ratelimit.spring.listener.RetryPause;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * A call of a batch listener by the application's error handler, which tries a batch
 * again while it keeps the consumer paused. A denial waits within the try, so that it
 * does not use one up.
 */
final class BatchRetry implements Runnable {

	private final Runnable listener;

	private final Consumer<?, ?> consumer;

	private final MessageListenerContainer container;

	private @Nullable RuntimeException unprocessed;

	BatchRetry(Runnable listener, Consumer<?, ?> consumer, MessageListenerContainer container) {
		this.listener = listener;
		this.consumer = consumer;
		this.container = container;
	}

	@Override
	public void run() {
		Duration pause = tryCall();
		while (pause != null && tryWait(pause)) {
			pause = tryCall();
		}
	}

	/**
	 * Returns the denial for which the batch was not processed though this returned
	 * normally, as a container that stops or pauses does not wait. An exception would
	 * count as a failed try, and the last of them would skip the batch.
	 */
	@Nullable RuntimeException unprocessed() {
		return this.unprocessed;
	}

	/** Returns the time to wait if the call was denied. */
	private @Nullable Duration tryCall() {
		this.unprocessed = null;
		try {
			this.listener.run();
			return null;
		}
		catch (RuntimeException ex) {
			Duration pause = RetryPause.after(ex);
			if (pause == null) {
				throw ex;
			}
			this.unprocessed = ex;
			return pause;
		}
	}

	private boolean tryWait(Duration pause) {
		try {
			ListenerUtils.conditionalSleepWithPoll(this::mayWait, pause.toMillis(), this.consumer);
			return mayWait();
		}
		catch (WakeupException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private boolean mayWait() {
		return this.container.isRunning() && !this.container.isPauseRequested();
	}

}

package io.github.ratelimit.spring.top;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle step that publishes the top keys of this instance in the background.
 */
public final class TopPublisher implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(TopPublisher.class);

	private final TopKeys keys;

	private final Duration interval;

	private volatile CountDownLatch stopped = new CountDownLatch(0);

	/**
	 * Creates a publisher.
	 * @param keys the top keys
	 * @param interval the time between two reports
	 */
	public TopPublisher(TopKeys keys, Duration interval) {
		this.keys = keys;
		this.interval = interval;
	}

	@Override
	public void start() {
		CountDownLatch stop = new CountDownLatch(1);
		this.stopped = stop;
		Thread thread = new Thread(() -> run(stop), "ratelimit-top");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void stop() {
		this.stopped.countDown();
	}

	@Override
	public boolean isRunning() {
		return this.stopped.getCount() > 0;
	}

	private void run(CountDownLatch stop) {
		try {
			while (!stop.await(this.interval.toMillis(), TimeUnit.MILLISECONDS)) {
				tryPublish();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Publishes what this instance has counted, now. */
	public void publish() {
		this.keys.publish();
	}

	private void tryPublish() {
		try {
			publish();
		}
		catch (RuntimeException ex) {
			logger.debug("Top keys could not be published", ex);
		}
	}

}

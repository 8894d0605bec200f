package io.github.ratelimit.spring.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.spring.control.ControlStore.Restored;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The controls that the store has lost and this instance has written back. For one thread
 * at a time, except {@link #restored}, which is thread-safe.
 */
final class ControlLosses {

	private static final Log logger = LogFactory.getLog(ControlLosses.class);

	/** The time between two lines, as a store that is full may evict again and again. */
	private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

	private final AtomicLong restored = new AtomicLong();

	private @Nullable Long loggedAt;

	long restored() {
		return this.restored.get();
	}

	void add(Restored loss) {
		this.restored.addAndGet(loss.written());
		if (loss.equals(Restored.NOTHING)) {
			return;
		}
		long now = System.nanoTime();
		if (this.loggedAt == null || now - this.loggedAt >= INTERVAL) {
			this.loggedAt = now;
			logger.warn("The store has lost controls: " + loss.written() + " were written back, and " + loss.dropped()
					+ " that had been lifted were dropped again");
		}
	}

}

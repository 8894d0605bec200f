package io.github.ratelimit.spring.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.ratelimit.spring.control.ControlStore.Restored;
import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A log of times in which controls cannot be read: one line for the begin, at most once a
 * minute, and one for the end, once none has failed for five seconds. It also logs, as
 * often, and counts what a store has lost. For one thread at a time, except
 * {@link #restored}, which is thread-safe.
 */
final class ControlFailures {

	private static final Log logger = LogFactory.getLog(ControlFailures.class);

	/** The least time between two lines for a begin, as a network may flap. */
	private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

	private static final long QUIET = TimeUnit.SECONDS.toNanos(5);

	private final LongSupplier nanoClock;

	private final AtomicLong restored = new AtomicLong();

	/** The time of the last loss, as a store that is full may evict again and again. */
	private @Nullable Long lossLoggedAt;

	private @Nullable Long loggedAt;

	private long lastAt;

	private int failures;

	/** Whether the line for the begin was logged, so that there is one for the end. */
	private boolean logged;

	ControlFailures(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
	}

	void onFailure(Throwable failure) {
		this.lastAt = this.nanoClock.getAsLong();
		this.failures++;
		if (!this.logged && (this.loggedAt == null || this.lastAt - this.loggedAt >= PAUSE)) {
			this.logged = true;
			this.loggedAt = this.lastAt;
			log(failure);
		}
	}

	void onSuccess() {
		if (this.failures == 0 || this.nanoClock.getAsLong() - this.lastAt < QUIET) {
			return;
		}
		if (this.logged) {
			logger.info("Controls are read again, after " + this.failures + " failures");
		}
		this.logged = false;
		this.failures = 0;
	}

	/** Adds what was written back, and logs it. */
	void onLoss(Restored loss) {
		this.restored.addAndGet(loss.written());
		long now = this.nanoClock.getAsLong();
		if (!loss.equals(Restored.NOTHING) && (this.lossLoggedAt == null || now - this.lossLoggedAt >= PAUSE)) {
			this.lossLoggedAt = now;
			logger.warn("The store has lost controls: " + loss.written() + " were written back, and " + loss.dropped()
					+ " that had been lifted were dropped again");
		}
	}

	/** Returns how many controls were written back. */
	long restored() {
		return this.restored.get();
	}

	private static void log(Throwable failure) {
		if (failure instanceof RateLimitStoreException store) {
			logger.warn("Controls cannot be read: " + store.getKind().id()
					+ ". This instance keeps those that it knows, and learns of no others until their store replies");
			logger.debug("The failure", failure);
		}
		else {
			logger.warn("Controls were read, but could not be applied. This instance keeps those that it knows",
					failure);
		}
	}

}

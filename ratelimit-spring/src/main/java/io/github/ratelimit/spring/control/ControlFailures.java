package io.github.ratelimit.spring.control;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A log of times in which controls cannot be read: one line for the begin, at most once a
 * minute, and one for the end, once none has failed for five seconds. For one thread at a
 * time.
 */
final class ControlFailures {

	private static final Log logger = LogFactory.getLog(ControlFailures.class);

	/** The least time between two lines for a begin, as a network may flap. */
	private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

	private static final long QUIET = TimeUnit.SECONDS.toNanos(5);

	private final LongSupplier nanoClock;

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

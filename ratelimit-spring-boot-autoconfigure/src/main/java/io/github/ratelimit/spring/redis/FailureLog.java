package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells once that Redis fails and once that it decides again, which is when a call
 * succeeds and none has failed for five seconds; never a line for each call.
 */
final class FailureLog {

	private static final Log logger = LogFactory.getLog(RedisRateLimitStore.class);

	private static final long QUIET = Duration.ofSeconds(5).toNanos();

	private final String server;

	private final LongSupplier nanoClock;

	private final AtomicBoolean failing = new AtomicBoolean();

	private final LongAdder failures = new LongAdder();

	private volatile long lastFailure;

	FailureLog(String server, LongSupplier nanoClock) {
		this.server = server;
		this.nanoClock = nanoClock;
	}

	/** The failure that it was given. */
	RateLimitStoreException failed(RateLimitStoreException failure) {
		this.lastFailure = this.nanoClock.getAsLong();
		this.failures.increment();
		if (!this.failing.get() && this.failing.compareAndSet(false, true)) {
			logger.warn(this.server + " does not decide on rate limits: " + failure.getKind().id()
					+ ". Further failures are counted, not logged");
		}
		return failure;
	}

	void succeeded() {
		if (this.failing.get() && this.nanoClock.getAsLong() - this.lastFailure >= QUIET
				&& this.failing.compareAndSet(true, false)) {
			logger.info(
					this.server + " decides on rate limits again, after " + this.failures.sumThenReset() + " failures");
		}
	}

}

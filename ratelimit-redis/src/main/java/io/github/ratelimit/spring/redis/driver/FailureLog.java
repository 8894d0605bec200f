package io.github.ratelimit.spring.redis.driver;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.RateLimitStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A log of outages of Redis: one line when it starts to fail, and one when it recovers,
 * which is when a run succeeds and none has failed for five seconds. It never has a line
 * for each failure.
 */
final class FailureLog {

	private static final Log logger = LogFactory.getLog(FailureLog.class);

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

	/** Records a failure and returns it. */
	RateLimitStoreException onFailure(RateLimitStoreException failure) {
		this.lastFailure = this.nanoClock.getAsLong();
		this.failures.increment();
		if (!this.failing.get() && this.failing.compareAndSet(false, true)) {
			logger.warn(this.server + " does not decide on rate limits: " + failure.getKind().id()
					+ ". Further failures are counted, not logged");
		}
		return failure;
	}

	void onSuccess() {
		if (this.failing.get() && this.nanoClock.getAsLong() - this.lastFailure >= QUIET
				&& this.failing.compareAndSet(true, false)) {
			logger.info(
					this.server + " decides on rate limits again, after " + this.failures.sumThenReset() + " failures");
		}
	}

}

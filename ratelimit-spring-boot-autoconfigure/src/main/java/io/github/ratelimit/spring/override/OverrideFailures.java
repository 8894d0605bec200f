package io.github.ratelimit.spring.override;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import io.github.ratelimit.spring.override.OverrideCache.Failure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts lookups that failed, and logs one a minute at most. Thread-safe.
 */
final class OverrideFailures {

	private static final Log logger = LogFactory.getLog(OverrideCache.class);

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	/** Of callers whose limits are known. */
	private final Map<Failure, LongAdder> known = new ConcurrentHashMap<>();

	/** Of the others. */
	private final Map<Failure, LongAdder> unknown = new ConcurrentHashMap<>();

	private final LongSupplier nanoClock;

	private final AtomicLong loggedAt;

	OverrideFailures(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
		this.loggedAt = new AtomicLong(nanoClock.getAsLong() - PAUSE);
	}

	long count(Failure failure, boolean isKnown) {
		return adder(failure, isKnown).sum();
	}

	/** The message of a cause may hold the key. */
	void add(Failure failure, boolean isKnown, Throwable cause) {
		adder(failure, isKnown).increment();
		long now = this.nanoClock.getAsLong();
		long before = this.loggedAt.get();
		if (now - before >= PAUSE && this.loggedAt.compareAndSet(before, now)) {
			logger.warn("Limits of single callers cannot be had: " + cause.getClass().getName()
					+ ". The last known ones count, or else those of the caller's plan. Further failures are "
					+ "counted, and logged once a minute");
		}
	}

	private LongAdder adder(Failure failure, boolean isKnown) {
		return (isKnown ? this.known : this.unknown).computeIfAbsent(failure, (missing) -> new LongAdder());
	}

}

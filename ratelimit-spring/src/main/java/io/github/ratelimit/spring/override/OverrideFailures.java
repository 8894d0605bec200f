package io.github.ratelimit.spring.override;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** A counter of failed lookups, which logs at most once a minute. Thread-safe. */
final class OverrideFailures {

	private static final Log logger = LogFactory.getLog(OverrideFailures.class);

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	/** The failures for callers whose limits were known. */
	private final Map<OverrideFailure, LongAdder> known = new ConcurrentHashMap<>();

	/** The failures for other callers. */
	private final Map<OverrideFailure, LongAdder> unknown = new ConcurrentHashMap<>();

	private final LongSupplier nanoClock;

	private final AtomicLong loggedAt;

	OverrideFailures(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
		this.loggedAt = new AtomicLong(nanoClock.getAsLong() - PAUSE);
	}

	long count(OverrideFailure failure, boolean isKnown) {
		return adder(failure, isKnown).sum();
	}

	/**
	 * Counts and logs a failure, without the message of its cause, which may contain a
	 * key.
	 */
	void add(OverrideFailure failure, boolean isKnown, Throwable cause) {
		adder(failure, isKnown).increment();
		long now = this.nanoClock.getAsLong();
		long before = this.loggedAt.get();
		if (now - before >= PAUSE && this.loggedAt.compareAndSet(before, now)) {
			logger.warn("Limits of single callers cannot be had: " + cause.getClass().getName()
					+ ". The last known ones count, or else those of the caller's plan. Further failures are "
					+ "counted, and logged once a minute");
		}
	}

	private LongAdder adder(OverrideFailure failure, boolean isKnown) {
		return (isKnown ? this.known : this.unknown).computeIfAbsent(failure, (missing) -> new LongAdder());
	}

}

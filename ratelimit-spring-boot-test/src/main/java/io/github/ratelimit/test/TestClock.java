package io.github.ratelimit.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is moved. It always starts at the same time, at
 * which a calendar year begins in UTC, so that windows of the calendar are the same in
 * each run. Thread-safe.
 */
final class TestClock implements InstantSource {

	private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

	private final AtomicLong micros = new AtomicLong(micros(START));

	@Override
	public Instant instant() {
		return Instant.EPOCH.plus(micros(), ChronoUnit.MICROS);
	}

	/** Returns the microseconds since 1970. */
	long micros() {
		return this.micros.get();
	}

	/** Moves on by a duration. */
	void advance(Duration duration) {
		if (duration.isNegative()) {
			throw new IllegalArgumentException("the clock only moves forward, was to move by " + duration);
		}
		this.micros.addAndGet(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(duration)));
	}

	/** Moves on to a time, unless it is past. */
	void advanceTo(long micros) {
		this.micros.accumulateAndGet(micros, Math::max);
	}

	/** Returns the time since the start. */
	Duration elapsed() {
		return Duration.between(START, instant());
	}

	void reset() {
		this.micros.set(micros(START));
	}

	private static long micros(Instant instant) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
	}

}

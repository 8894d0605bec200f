package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The time of a control: it begins at once or at a time, and ends after a time, at a time
 * or never. Times are those of the store's clock. Immutable.
 *
 * @param from the time at which the control begins, or {@code null} for at once
 * @param duration how long it lasts, or {@code null}
 * @param until the time at which it ends, or {@code null}
 */
public record ControlTime(@Nullable Instant from, @Nullable Duration duration, @Nullable Instant until) {

	/** The time of a control that stays until it is lifted. */
	public static final ControlTime EVER = new ControlTime(null, null, null);

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final Duration LONGEST = Duration.ofDays(366);

	/** The time of a reset, of which all instances have learnt at its end. */
	public static final ControlTime OF_RESET = lasting(Duration.ofMinutes(1));

	/**
	 * Checks how long the control lasts.
	 * @param from the time at which the control begins, or {@code null} for at once
	 * @param duration how long it lasts, or {@code null}
	 * @param until the time at which it ends, or {@code null}
	 * @throws IllegalArgumentException if it lasts for less than a millisecond, or for
	 * more than 366 days
	 */
	public ControlTime {
		if (from != null && until != null && !until.isAfter(from)) {
			throw new IllegalArgumentException("the control begins at " + from + ", but ends at " + until
					+ ": write an earlier 'from' or a later 'until'");
		}
		if (duration != null) {
			requireInBounds(duration);
		}
	}

	/**
	 * Returns the time of a control that lasts for a time.
	 * @param time at least a millisecond and at most 366 days
	 * @return the time, which begins at once
	 * @throws IllegalArgumentException if the time is out of bounds
	 */
	public static ControlTime lasting(Duration time) {
		return new ControlTime(null, time, null);
	}

	/**
	 * Returns the time of a control that lasts until a time.
	 * @param time a time in the future
	 * @return the time, which begins at once
	 */
	public static ControlTime until(Instant time) {
		return new ControlTime(null, null, time);
	}

	/**
	 * Returns this time with another begin.
	 * @param begin a time in the future, {@code null} for at once
	 * @return a time with the same end, or as long
	 * @throws IllegalArgumentException if the end is not later
	 */
	public ControlTime from(@Nullable Instant begin) {
		return new ControlTime(begin, this.duration, this.until);
	}

	/**
	 * Returns the time at which a control begins.
	 * @throws IllegalArgumentException if that is not in the future, or too far
	 */
	Instant begin(Instant now) {
		if (this.from != null && (!this.from.isAfter(now) || this.from.isAfter(now.plus(LONGEST)))) {
			throw new IllegalArgumentException("the control begins at " + this.from + ", but it is " + now
					+ ": write a 'from' within the next 366d, or leave it out to begin at once");
		}
		return (this.from != null) ? this.from : now;
	}

	/**
	 * Returns the time at which a control ends that begins at a time.
	 * @throws IllegalArgumentException if that is not later, or too far
	 */
	@Nullable Instant end(Instant begin) {
		if (this.until != null) {
			requireInBounds(Duration.between(begin, this.until));
			return this.until;
		}
		return (this.duration != null) ? begin.plus(this.duration) : null;
	}

	private static void requireInBounds(Duration time) {
		if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("a control lasts for at least 1ms and at most 366d");
		}
	}

}

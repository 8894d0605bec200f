package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The end of a control: after a time, at a time, or never. Immutable.
 *
 * @param after how long the control lasts, or {@code null}
 * @param at the time at which it ends, by the clock of the store, or {@code null}
 */
public record ControlEnd(@Nullable Duration after, @Nullable Instant at) {

	/** The end of a control that stays until it is lifted. */
	public static final ControlEnd NEVER = new ControlEnd(null, null);

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final Duration LONGEST = Duration.ofDays(366);

	/** The end of a reset, of which all instances have learnt then. */
	public static final ControlEnd OF_RESET = new ControlEnd(Duration.ofMinutes(1), null);

	/**
	 * Checks the time that a control lasts.
	 * @param after how long the control lasts, or {@code null}
	 * @param at the time at which it ends, or {@code null}
	 * @throws IllegalArgumentException if it lasts for less than a millisecond, or for
	 * more than 366 days
	 */
	public ControlEnd {
		if (after != null) {
			requireInBounds(after);
		}
	}

	/**
	 * Returns the end of a control that lasts for a time.
	 * @param time at least a millisecond and at most 366 days
	 * @return the end
	 * @throws IllegalArgumentException if the time is out of bounds
	 */
	public static ControlEnd after(Duration time) {
		return new ControlEnd(time, null);
	}

	/**
	 * Returns the end of a control that lasts until a time.
	 * @param time a time in the future
	 * @return the end
	 */
	public static ControlEnd at(Instant time) {
		return new ControlEnd(null, time);
	}

	/**
	 * Returns the time at which a control ends.
	 * @throws IllegalArgumentException if that is not in the future, or too far
	 */
	@Nullable Instant from(Instant now) {
		if (this.at != null) {
			requireInBounds(Duration.between(now, this.at));
			return this.at;
		}
		return (this.after != null) ? now.plus(this.after) : null;
	}

	private static void requireInBounds(Duration time) {
		if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("a control lasts for at least 1ms and at most 366d");
		}
	}

}

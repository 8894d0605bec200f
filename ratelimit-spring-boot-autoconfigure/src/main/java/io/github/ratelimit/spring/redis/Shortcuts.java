package io.github.ratelimit.spring.redis;

import java.time.Duration;

/**
 * Ways to ask Redis less often, none of which admits a call that Redis would not.
 *
 * @param coalesce whether calls that come at the same time are decided on together, on
 * Lettuce's connections
 * @param denials how many denials to remember at most, rounded down to a power of two; 0
 * for none
 * @param denialAge how long to remember a denial at most: for so long, a call may be
 * denied although another instance has given back or reset what was spent
 */
public record Shortcuts(boolean coalesce, int denials, Duration denialAge) {

	/** All of them. */
	public static final Shortcuts STANDARD = new Shortcuts(true, 16_384, Duration.ofSeconds(1));

	/** Every call is decided on by a run of the script of its own. */
	public static final Shortcuts NONE = new Shortcuts(false, 0, Duration.ZERO);

	public Shortcuts {
		if (denials < 0) {
			throw new IllegalArgumentException("'denials' must not be negative, was " + denials);
		}
		if (denialAge.isNegative()) {
			throw new IllegalArgumentException("'denialAge' must not be negative, was " + denialAge);
		}
	}

	/** These without remembering denials. */
	Shortcuts withoutDenials() {
		return new Shortcuts(this.coalesce, 0, this.denialAge);
	}

}

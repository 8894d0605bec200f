package io.github.ratelimit.spring.control;

import java.time.Duration;

import io.github.ratelimit.algorithm.Rate;

/**
 * A ban that follows many denials of one key. Each further ban is longer.
 *
 * @param after the denials that lead to a ban, and the time within which they count
 * @param block how long the first ban lasts
 * @param factor by how much each further ban is longer, at least 1
 * @param max the longest ban, at least the first and at most 36 days
 */
public record Penalty(Rate after, Duration block, int factor, Duration max) {

	/**
	 * For how many times the longest ban earlier bans are remembered, so that bans can
	 * grow to it.
	 */
	private static final int MEMORY = 10;

	private static final Duration LONGEST = Duration.ofDays(36);

	/**
	 * Checks the components.
	 * @param after the denials that lead to a ban, and the time within which they count
	 * @param block how long the first ban lasts
	 * @param factor by how much each further ban is longer, at least 1
	 * @param max the longest ban, at least the first and at most 36 days
	 */
	public Penalty {
		if (block.isNegative() || block.isZero()) {
			throw new IllegalArgumentException("'block' must be above 0, was " + block);
		}
		if (factor < 1) {
			throw new IllegalArgumentException("'factor' must be at least 1, was " + factor);
		}
		if (max.compareTo(block) < 0 || max.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("'max' must be from 'block' to 36d, was " + max);
		}
	}

	/** Returns how long a ban lasts after a number of earlier bans. */
	Duration ban(long earlier) {
		Duration ban = this.block;
		for (long i = 0; i < earlier && ban.compareTo(this.max) < 0 && this.factor > 1; i++) {
			ban = ban.multipliedBy(this.factor);
		}
		return (ban.compareTo(this.max) < 0) ? ban : this.max;
	}

	/** Returns the time for which earlier bans count. */
	Duration memory() {
		return this.max.multipliedBy(MEMORY);
	}

}

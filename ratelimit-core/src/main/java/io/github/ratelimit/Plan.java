package io.github.ratelimit;

import java.util.List;

import io.github.ratelimit.algorithm.Limit;

/**
 * What callers of a policy have in common who have the same plan: their limits.
 * Immutable.
 *
 * @param limits one in the place of each of the policy's, whose counts they charge
 * @param mode what the limits do
 * @param candidates limits to be tried: in shadow, and on counts of their own
 */
public record Plan(List<Limit> limits, Mode mode, List<Limit> candidates) {

	public Plan {
		limits = List.copyOf(limits);
		candidates = List.copyOf(candidates);
	}

	/**
	 * A plan without candidates.
	 * @param limits one in the place of each of the policy's
	 * @param mode what the limits do
	 */
	public Plan(List<Limit> limits, Mode mode) {
		this(limits, mode, List.of());
	}

}

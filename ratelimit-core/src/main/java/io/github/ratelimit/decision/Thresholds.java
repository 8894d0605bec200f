package io.github.ratelimit.decision;

import java.util.List;
import java.util.Map;

/**
 * The parts of limits from which admitted calls are near them.
 *
 * @param standard the parts in percent, from 1 to 100, in ascending order
 * @param byPolicy those of policies that have their own
 */
public record Thresholds(List<Integer> standard, Map<String, List<Integer>> byPolicy) {

	/** No call is near a limit. */
	public static final Thresholds NONE = new Thresholds(List.of(), Map.of());

	/**
	 * Returns whether no call of any policy is near a limit.
	 * @return whether there are no parts, so that no decision has to be looked at
	 */
	public boolean isEmpty() {
		return this.standard.isEmpty() && this.byPolicy.isEmpty();
	}

	/**
	 * Returns the parts for a policy.
	 * @param policy the policy's name
	 * @return the parts in percent, in ascending order
	 */
	public List<Integer> of(String policy) {
		return this.byPolicy.isEmpty() ? this.standard : this.byPolicy.getOrDefault(policy, this.standard);
	}

	/**
	 * Returns the largest part of a limit that a key has spent.
	 * @param policy the policy's name
	 * @param key the key
	 * @param limits the limits of a decision
	 * @return the part in percent; 0 if the key is not near a limit
	 */
	public int reached(String policy, String key, List<LimitDecision> limits) {
		List<Integer> parts = of(policy);
		for (int i = parts.size() - 1; i >= 0; i--) {
			for (LimitDecision limit : limits) {
				if (limit.isOf(policy, key) && limit.isUsed(parts.get(i))) {
					return parts.get(i);
				}
			}
		}
		return 0;
	}

}

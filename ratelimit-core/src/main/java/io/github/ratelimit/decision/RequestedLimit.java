package io.github.ratelimit.decision;

import io.github.ratelimit.algorithm.Limit;

/**
 * The part of a request that its decision reports on. A decision keeps the request
 * itself, which takes less memory than a copy of these values.
 */
public interface RequestedLimit {

	/**
	 * Returns the name of the policy that the limit belongs to.
	 * @return the policy's name
	 */
	String policy();

	/**
	 * Returns the key that was charged.
	 * @return the key
	 */
	String key();

	/**
	 * Returns the limit that was charged.
	 * @return the limit
	 */
	Limit limit();

	/**
	 * Returns the permits that must be left when a call is admitted.
	 * @return at least 0
	 */
	long reserve();

	/**
	 * Returns how long the call may wait for its turn.
	 * @return microseconds, at least 0
	 */
	long maxWaitMicros();

	/**
	 * Returns whether the limit only reports what it would decide.
	 * @return {@code true} if it denies nothing
	 */
	boolean shadow();

	/**
	 * Returns whether clients are not told of the limit.
	 * @return {@code true} if no response names it
	 */
	default boolean hidden() {
		return false;
	}

	/**
	 * Decides on this limit alone, for stores.
	 * @param waitMicros microseconds until the request fits
	 * @param remaining permits that are left, the reserve included
	 * @param resetMicros microseconds until the limit is as if never charged
	 * @return the decision of this limit
	 */
	default LimitDecision decide(long waitMicros, long remaining, long resetMicros) {
		long late = Math.max(0, waitMicros - maxWaitMicros());
		return new LimitDecision(policy(), key(), limit(), Math.max(0, remaining - reserve()), late, resetMicros,
				(late == 0) ? waitMicros : 0, hidden());
	}

}

package io.github.ratelimit.spring.usage;

import java.util.List;

/**
 * The limits of a caller and what is left of them, as they are written into a response.
 *
 * @param policies the policies that limit the caller
 */
public record Usage(List<PolicyUsage> policies) {

	/**
	 * A policy that limits the caller.
	 *
	 * @param policy the policy's name
	 * @param access the access that the policy gives the caller
	 * @param limits the limits of the caller; empty unless the access is limited, or if
	 * the store fails
	 */
	public record PolicyUsage(String policy, Access access, List<LimitUsage> limits) {

	}

	/**
	 * A limit and what is left of it.
	 *
	 * @param limit the limit, such as {@code 100/1m}
	 * @param permits the permits that can be spent at once
	 * @param used the permits that are spent
	 * @param remaining the permits that are left
	 * @param reset seconds until nothing is spent, rounded up
	 */
	public record LimitUsage(String limit, long permits, long used, long remaining, long reset) {

	}

	/**
	 * The accesses that policies give callers.
	 */
	public enum Access {

		/** Access as far as the limits admit it. */
		LIMITED,

		/** Access without limits. */
		EXEMPT,

		/** No access. */
		BLOCKED

	}

}

package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Limit;

/**
 * A limit as a policy applies it. A store keeps one count for each combination of
 * counter, period of the limit, position and key.
 *
 * @param policy the name of the policy
 * @param counter the name under which counts are kept; policies with the same counter
 * share them
 * @param position the limit's position among the limits of the policy with its period: of
 * rates from 0, of limits on concurrency from another number
 * @param limit the limit
 * @param reserve permits that must be left when a call is admitted, at least 0 and below
 * the limit's burst
 * @param prefetch permits that may be prefetched, to be spent without a round trip to a
 * shared store; 0 for none
 * @param shadow whether the limit denies nothing and only reports what it would decide
 * @param hidden whether clients are not told of the limit
 */
public record PolicyLimit(String policy, String counter, int position, Limit limit, long reserve, long prefetch,
		boolean shadow, boolean hidden) {

	/**
	 * Creates an enforced limit without a prefetch.
	 * @param policy the name of the policy
	 * @param counter the name under which counts are kept
	 * @param position the limit's position among those with its period
	 * @param limit the limit
	 * @param reserve permits that must be left when a call is admitted
	 */
	public PolicyLimit(String policy, String counter, int position, Limit limit, long reserve) {
		this(policy, counter, position, limit, reserve, 0, false, false);
	}

	/**
	 * Returns the highest cost that the limit can ever admit.
	 * @return permits, at least 1
	 */
	public long highestCost() {
		return this.limit.burst() - this.reserve;
	}

	/**
	 * Returns this limit in shadow: charged if it fits and the call is admitted, and
	 * never a reason to deny.
	 * @return the limit in shadow
	 */
	public PolicyLimit inShadow() {
		return new PolicyLimit(this.policy, this.counter, this.position, this.limit, this.reserve, this.prefetch, true,
				this.hidden);
	}

	/**
	 * Returns this limit with a share of its permits. The reserve leaves at least one of
	 * them.
	 * @param percent from 1 to 100
	 * @return the limit
	 */
	public PolicyLimit share(int percent) {
		return with(this.limit.share(percent), this.reserve * percent / 100);
	}

	/**
	 * Returns this limit with one of equal parts of its permits. The reserve leaves at
	 * least one of them.
	 * @param parts the number of parts, at least 1
	 * @return the limit
	 */
	public PolicyLimit part(int parts) {
		return with(this.limit.part(parts), this.reserve / parts);
	}

	private PolicyLimit with(Limit limit, long reserve) {
		return new PolicyLimit(this.policy, this.counter, this.position, limit, Math.min(reserve, limit.burst() - 1),
				this.prefetch, this.shadow, this.hidden);
	}

}

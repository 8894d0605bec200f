package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Limit;

/**
 * One limit of a policy, and how the policy applies it. A count is kept for each bucket,
 * period of a limit, position and key.
 *
 * @param policy the name of the policy
 * @param bucket the name under which counts are kept; policies of one bucket share them
 * @param position of the limit among those of its period in the policy, from 0 on
 * @param limit the limit
 * @param reserve permits that must be left when a call is admitted, at least 0 and below
 * the limit's burst
 * @param lease permits that may be taken in advance, to be spent without asking a shared
 * store; 0 for none
 */
public record Clause(String policy, String bucket, int position, Limit limit, long reserve, long lease) {

	/**
	 * A clause of which nothing is taken in advance.
	 * @param policy the name of the policy
	 * @param bucket the name under which counts are kept
	 * @param position of the limit among those of its period
	 * @param limit the limit
	 * @param reserve permits that must be left when a call is admitted
	 */
	public Clause(String policy, String bucket, int position, Limit limit, long reserve) {
		this(policy, bucket, position, limit, reserve, 0);
	}

	/**
	 * The most that the limit can ever admit here.
	 * @return permits, at least 1
	 */
	public long most() {
		return this.limit.burst() - this.reserve;
	}

	/**
	 * This clause on a part of its limit, which leaves at least one permit beside the
	 * reserve.
	 * @param percent from 1 to 100
	 * @return the clause
	 */
	public Clause share(int percent) {
		Limit share = this.limit.share(percent);
		return new Clause(this.policy, this.bucket, this.position, share,
				Math.min(this.reserve * percent / 100, share.burst() - 1));
	}

}

package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.LimitDecision;

/**
 * What a call asks of one limit.
 *
 * @param clause the limit
 * @param key who is charged, of any length and content
 * @param cost permits, at least 0; with the clause's reserve, at most what the limit can
 * ever admit
 * @param time to acquire or peek, how long the call is willing to wait; to give back,
 * when the permits were charged; in microseconds
 */
public record Debit(Clause clause, String key, long cost, long time) {

	/**
	 * What has to fit.
	 * @return the cost and the reserve
	 */
	public long asked() {
		return this.cost + this.clause.reserve();
	}

	/**
	 * What the limit says to this debit, for stores.
	 * @param wait microseconds until the debit gets its place
	 * @param remaining permits that are left, the reserve among them
	 * @param reset microseconds until the limit is as if never charged
	 * @return the decision on this limit alone
	 */
	public LimitDecision decision(long wait, long remaining, long reset) {
		boolean fits = wait <= this.time;
		return new LimitDecision(this.clause.policy(), this.clause.limit(),
				Math.max(0, remaining - this.clause.reserve()), fits ? 0 : wait - this.time, reset, fits ? wait : 0);
	}

}

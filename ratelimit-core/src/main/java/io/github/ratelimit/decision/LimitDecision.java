package io.github.ratelimit.decision;

import io.github.ratelimit.algorithm.Limit;

/**
 * A decision of one limit on one call.
 *
 * @param policy the name of the policy that the limit belongs to
 * @param limit the limit
 * @param remaining permits that would be admitted right after this decision, rounded down
 * @param retryAfterMicros microseconds until the call's cost fits this limit, if nothing
 * else is charged meanwhile; 0 if it fits
 * @param resetAfterMicros microseconds until the limit is as if never charged
 * @param waitMicros microseconds that the call has to wait for its turn before it
 * proceeds; 0 if it need not, or does not fit
 */
public record LimitDecision(String policy, Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros,
		long waitMicros) {

	/**
	 * Creates a decision on a call that need not wait.
	 * @param policy the name of the policy that the limit belongs to
	 * @param limit the limit
	 * @param remaining permits that would be admitted right after this decision
	 * @param retryAfterMicros microseconds until the call's cost fits; 0 if it fits
	 * @param resetAfterMicros microseconds until the limit is as if never charged
	 */
	public LimitDecision(String policy, Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros) {
		this(policy, limit, remaining, retryAfterMicros, resetAfterMicros, 0);
	}

	/**
	 * Returns whether this limit had room. A call is admitted only if every limit had.
	 * @return whether the cost fits
	 */
	public boolean allowed() {
		return this.retryAfterMicros == 0;
	}

	/**
	 * Returns whether a part of what can be spent at once is spent.
	 * @param percent the part in percent of the burst, from 1 to 100
	 * @return whether at least that part is spent
	 */
	public boolean isUsed(int percent) {
		long burst = this.limit.burst();
		return burst - this.remaining >= burst / 100.0 * percent;
	}

}

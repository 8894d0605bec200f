package io.github.ratelimit.algorithm;

/**
 * What one limit said to one call.
 *
 * @param policy the name of the policy that the limit belongs to
 * @param limit the limit
 * @param remaining permits that would be admitted right after this decision, rounded down
 * @param retryAfterMicros microseconds until the call's cost fits this limit, if nothing
 * else is charged meanwhile; 0 if it fits
 * @param resetAfterMicros microseconds until the limit is as if never charged
 */
public record LimitDecision(String policy, Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros) {

	/**
	 * Whether this limit had room. A call is admitted only where every limit had.
	 * @return whether the cost fits
	 */
	public boolean allowed() {
		return this.retryAfterMicros == 0;
	}

}

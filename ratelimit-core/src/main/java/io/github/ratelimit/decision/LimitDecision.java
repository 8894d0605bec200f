package io.github.ratelimit.decision;

import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Limit;

/**
 * A decision of one limit on one call.
 *
 * @param policy the name of the policy that the limit belongs to
 * @param key the key whose count was decided
 * @param limit the limit
 * @param remaining permits that would be admitted right after this decision, rounded down
 * @param retryAfterMicros microseconds until the call's cost fits this limit, if nothing
 * else is charged meanwhile; 0 if it fits. For a limit on concurrency, until a lease ends
 * that is not renewed
 * @param resetAfterMicros microseconds until the limit is as if never charged
 * @param waitMicros microseconds that the call has to wait for its turn before it
 * proceeds; 0 if it need not, or does not fit
 * @param hidden whether clients are not told of the limit
 */
public record LimitDecision(String policy, String key, Limit limit, long remaining, long retryAfterMicros,
		long resetAfterMicros, long waitMicros, boolean hidden) {

	private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

	/**
	 * Creates a decision of a limit that clients are told of.
	 * @param policy the name of the policy that the limit belongs to
	 * @param key the key whose count was decided
	 * @param limit the limit
	 * @param remaining permits that would be admitted right after this decision
	 * @param retryAfterMicros microseconds until the call's cost fits this limit
	 * @param resetAfterMicros microseconds until the limit is as if never charged
	 * @param waitMicros microseconds that the call has to wait for its turn
	 */
	@SuppressWarnings("checkstyle:ParameterNumber")
	public LimitDecision(String policy, String key, Limit limit, long remaining, long retryAfterMicros,
			long resetAfterMicros, long waitMicros) {
		this(policy, key, limit, remaining, retryAfterMicros, resetAfterMicros, waitMicros, false);
	}

	/**
	 * Returns this decision with another number of permits that are left.
	 * @param permits permits that would be admitted right after this decision
	 * @return the decision
	 */
	public LimitDecision withRemaining(long permits) {
		return new LimitDecision(this.policy, this.key, this.limit, permits, this.retryAfterMicros,
				this.resetAfterMicros, this.waitMicros, this.hidden);
	}

	/**
	 * Returns this decision with another time until the cost fits, for a call that does
	 * not wait for its turn.
	 * @param micros microseconds until the call's cost fits this limit; 0 if it fits
	 * @return the decision
	 */
	public LimitDecision withRetryAfter(long micros) {
		return new LimitDecision(this.policy, this.key, this.limit, this.remaining, micros, this.resetAfterMicros, 0,
				this.hidden);
	}

	/**
	 * Returns whether this limit had room. A call is admitted only if every limit had.
	 * @return whether the cost fits
	 */
	public boolean allowed() {
		return this.retryAfterMicros == 0;
	}

	/**
	 * Returns whether this is the decision on a charge: several keys of one policy are
	 * several charges.
	 * @param policy the name of the charge's policy
	 * @param key the charge's key
	 * @return whether both are those of this decision
	 */
	public boolean isOf(String policy, String key) {
		return this.policy.equals(policy) && this.key.equals(key);
	}

	/**
	 * Returns when a denied call is worth another try. A permit of a limit on concurrency
	 * returns when another call ends, at an unknown time: this returns a second, or the
	 * time until the lease of a permit ends if that is earlier.
	 * @return microseconds; 0 if the cost fits
	 */
	public long tryAgainAfterMicros() {
		return this.limit.isConcurrency() ? Math.min(this.retryAfterMicros, SECOND) : this.retryAfterMicros;
	}

	/**
	 * Returns whether a part of what can be spent at once is spent. Of a limit whose
	 * burst is 1, every admitted call spends all, so no part counts as spent.
	 * @param percent the part in percent of the burst, from 1 to 100
	 * @return whether at least that part is spent
	 */
	public boolean isUsed(int percent) {
		long burst = this.limit.burst();
		long part = burst / 100 * percent + (burst % 100 * percent + 99) / 100;
		return burst > 1 && burst - this.remaining >= part;
	}

}

package io.github.ratelimit.algorithm;

import java.math.BigInteger;

/**
 * The token bucket by its definition in exact fractions, against which its fast forms are
 * held. Counts in parts of a permit so small that a microsecond refills a whole number.
 */
public final class TokenBucketDefinition {

	private final BigInteger permit;

	private final BigInteger refill;

	private final BigInteger capacity;

	private BigInteger level;

	private long at;

	/**
	 * A full bucket.
	 * @param limit its limit
	 * @param now the current time in microseconds
	 */
	public TokenBucketDefinition(Limit limit, long now) {
		this.permit = BigInteger.valueOf(limit.rate().periodMicros());
		this.refill = BigInteger.valueOf(limit.rate().permits());
		this.capacity = this.permit.multiply(BigInteger.valueOf(limit.burst()));
		this.level = this.capacity;
		this.at = now;
	}

	/**
	 * Charges a call or denies it. Only a charge changes the bucket, and a clock that
	 * steps back: what was left when it was last charged is left still, and refills from
	 * the new time on.
	 * @param policy the policy's name, for the answer
	 * @param limit the bucket's limit, for the answer
	 * @param now the current time in microseconds
	 * @param cost permits
	 * @return the decision by the definition
	 */
	public LimitDecision acquire(String policy, Limit limit, long now, long cost) {
		this.at = Math.min(this.at, now);
		BigInteger gained = this.refill.multiply(BigInteger.valueOf(now - this.at));
		BigInteger left = this.level.add(gained).min(this.capacity);
		BigInteger wanted = this.permit.multiply(BigInteger.valueOf(cost));
		long retryAfter = micros(wanted.subtract(left));
		if (retryAfter == 0 && cost > 0) {
			left = left.subtract(wanted);
			this.level = left;
			this.at = now;
		}
		return new LimitDecision(policy, limit, left.divide(this.permit).longValueExact(), retryAfter,
				micros(this.capacity.subtract(left)));
	}

	private long micros(BigInteger parts) {
		if (parts.signum() <= 0) {
			return 0;
		}
		BigInteger[] division = parts.divideAndRemainder(this.refill);
		return division[0].longValueExact() + division[1].signum();
	}

}

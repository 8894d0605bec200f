package io.github.ratelimit.algorithm;

import java.math.BigInteger;

/**
 * A bucket that refills evenly, in parts so small that a microsecond adds a whole number.
 * Its content is negative while calls wait or after charges that did not fit; but no more
 * is owed than the longest wait refills.
 */
final class TokenBucketDefinition extends Definition {

	private final Limit limit;

	private final BigInteger permit;

	private final BigInteger refill;

	private final BigInteger capacity;

	private BigInteger level;

	private long at;

	TokenBucketDefinition(Limit limit) {
		this.limit = limit;
		this.permit = BigInteger.valueOf(limit.rate().periodMicros());
		this.refill = BigInteger.valueOf(limit.rate().permits());
		this.capacity = this.permit.multiply(BigInteger.valueOf(limit.burst()));
		this.level = this.capacity;
	}

	/** Returns the burst and the refill, the last of which comes before the end. */
	@Override
	public long mostIn(long micros) {
		return this.limit.burst() + this.limit.rate().permits() * (micros - 1) / this.limit.rate().periodMicros();
	}

	@Override
	boolean admits(long time, long cost) {
		return level(time).compareTo(parts(cost)) >= 0;
	}

	@Override
	void charge(long now, long time, long cost) {
		BigInteger mostOwed = this.refill.multiply(BigInteger.valueOf(Bounds.LONGEST_WAIT));
		this.level = level(now).subtract(parts(cost)).max(mostOwed.negate());
		this.at = now;
	}

	/** Refunds what has not been refilled since. */
	@Override
	void refund(long now, long cost, long chargedAt) {
		BigInteger refilled = this.refill.multiply(BigInteger.valueOf(Math.max(0, now - chargedAt)));
		BigInteger left = parts(cost).subtract(refilled).max(BigInteger.ZERO);
		this.level = level(now).add(left).min(this.capacity);
		this.at = now;
	}

	@Override
	boolean isAsNew(long now, long time) {
		return level(time).equals(this.capacity);
	}

	@Override
	void clear() {
		this.level = this.capacity;
		this.at = 0;
	}

	private BigInteger level(long time) {
		BigInteger gained = this.refill.multiply(BigInteger.valueOf(time - this.at));
		return this.level.add(gained).min(this.capacity);
	}

	private BigInteger parts(long cost) {
		return this.permit.multiply(BigInteger.valueOf(cost));
	}

}

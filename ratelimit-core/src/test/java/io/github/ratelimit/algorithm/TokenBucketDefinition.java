package io.github.ratelimit.algorithm;

import java.math.BigInteger;

/**
 * A bucket that refills evenly, in parts so small that a microsecond adds a whole number.
 * What was left when it was last charged is left still after the clock stepped back.
 */
final class TokenBucketDefinition extends Definition {

	private final BigInteger permit;

	private final BigInteger refill;

	private final BigInteger capacity;

	private BigInteger level;

	private long at;

	TokenBucketDefinition(Limit limit) {
		this.permit = BigInteger.valueOf(limit.rate().periodMicros());
		this.refill = BigInteger.valueOf(limit.rate().permits());
		this.capacity = this.permit.multiply(BigInteger.valueOf(limit.burst()));
		this.level = this.capacity;
	}

	@Override
	boolean admits(long time, long cost) {
		return level(time).compareTo(parts(cost)) >= 0;
	}

	@Override
	void charge(long now, long cost) {
		this.level = level(now).subtract(parts(cost));
		this.at = now;
	}

	@Override
	boolean isAsNew(long time) {
		return level(time).equals(this.capacity);
	}

	@Override
	void rewind(long now) {
		this.at = Math.min(this.at, now);
	}

	private BigInteger level(long time) {
		BigInteger gained = this.refill.multiply(BigInteger.valueOf(time - this.at));
		return this.level.add(gained).min(this.capacity);
	}

	private BigInteger parts(long cost) {
		return this.permit.multiply(BigInteger.valueOf(cost));
	}

}

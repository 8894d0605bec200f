package io.github.ratelimit.algorithm;

import java.math.BigInteger;

/**
 * Windows of one period each; of the one before that of now, the share that the last
 * period covers. Windows that have not begun yet, as the clock stepped back, move with
 * it.
 */
final class SlidingWindowCounterDefinition extends Definition {

	private final BigInteger permits;

	private final long period;

	private long window = Long.MIN_VALUE / 2;

	private long spent;

	private long spentBefore;

	SlidingWindowCounterDefinition(Limit limit) {
		this.permits = BigInteger.valueOf(limit.rate().permits());
		this.period = limit.rate().periodMicros();
	}

	@Override
	boolean admits(long time, long cost) {
		BigInteger whole = BigInteger.valueOf(this.period);
		BigInteger share = BigInteger.valueOf(this.period - time % this.period);
		BigInteger used = BigInteger.valueOf(spentIn(time / this.period - 1))
			.multiply(share)
			.add(BigInteger.valueOf(spentIn(time / this.period) + cost).multiply(whole));
		return used.compareTo(this.permits.multiply(whole)) <= 0;
	}

	@Override
	void charge(long now, long cost) {
		long current = now / this.period;
		this.spentBefore = spentIn(current - 1);
		this.spent = spentIn(current) + cost;
		this.window = current;
	}

	@Override
	boolean isAsNew(long time) {
		return spentIn(time / this.period) == 0 && spentIn(time / this.period - 1) == 0;
	}

	@Override
	void rewind(long now) {
		this.window = Math.min(this.window, now / this.period);
	}

	private long spentIn(long window) {
		if (window == this.window) {
			return this.spent;
		}
		return (window == this.window - 1) ? this.spentBefore : 0;
	}

}

package io.github.ratelimit.algorithm;

import java.math.BigInteger;

/**
 * A sliding window counter with windows of one period each. The window before the current
 * one counts by the share that the last period covers.
 */
final class SlidingWindowCounterDefinition extends Definition {

	private static final long NEVER = Long.MIN_VALUE / 2;

	private final BigInteger permits;

	private final long period;

	private long window = NEVER;

	private long spent;

	private long spentBefore;

	SlidingWindowCounterDefinition(Limit limit) {
		this.permits = BigInteger.valueOf(limit.rate().permits());
		this.period = limit.rate().periodMicros();
	}

	/** Returns the permits of a full window and of those after it, the first not full. */
	@Override
	public long mostIn(long micros) {
		return this.permits.longValueExact() * (periods(micros, this.period) + 1) - 1;
	}

	@Override
	boolean tryContinue(Definition count) {
		if (!(count instanceof SlidingWindowCounterDefinition counter)) {
			return false;
		}
		this.window = counter.window;
		this.spent = counter.spent;
		this.spentBefore = counter.spentBefore;
		return true;
	}

	/** Counts both windows in full. */
	@Override
	long spentPermits(long changedAt) {
		long current = Math.max(this.window, changedAt / this.period);
		return spentIn(current) + spentIn(current - 1);
	}

	@Override
	long lastTurn(long changedAt) {
		return Math.max(changedAt, this.window * this.period);
	}

	@Override
	void convert(long spent, long since, long now) {
		this.window = now / this.period;
		this.spent = (since > now) ? Math.max(spent, this.permits.longValueExact()) : spent;
	}

	@Override
	boolean admits(long time, long cost) {
		BigInteger whole = BigInteger.valueOf(this.period);
		BigInteger share = BigInteger.valueOf(this.period - time % this.period);
		BigInteger used = BigInteger.valueOf(spentIn(time / this.period - 1))
			.multiply(share)
			.add(BigInteger.valueOf(spentIn(time / this.period) + cost).multiply(whole));
		boolean inLine = time / this.period < this.window;
		return !inLine && used.compareTo(this.permits.multiply(whole)) <= 0;
	}

	@Override
	void charge(long now, long time, long cost) {
		long current = Math.max(this.window, time / this.period);
		long before = spentIn(current - 1);
		this.spent = spentIn(current) + cost;
		this.spentBefore = before;
		this.window = current;
	}

	@Override
	void refund(long now, long cost, long turn) {
		if (turn / this.period == this.window) {
			this.spent = Math.max(0, this.spent - cost);
		}
		else if (turn / this.period == this.window - 1) {
			this.spentBefore = Math.max(0, this.spentBefore - cost);
		}
	}

	@Override
	boolean isAsNew(long now, long time) {
		long current = Math.max(this.window, time / this.period);
		return spentIn(current) == 0 && spentIn(current - 1) == 0;
	}

	@Override
	void clear() {
		this.window = NEVER;
		this.spent = 0;
		this.spentBefore = 0;
	}

	private long spentIn(long window) {
		if (window == this.window) {
			return this.spent;
		}
		return (window == this.window - 1) ? this.spentBefore : 0;
	}

}

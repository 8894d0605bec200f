package io.github.ratelimit.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * The token bucket, by the arithmetic of {@link Gcra}. A tick is the finest of
 * {@link Ticks} at which a full bucket, and what calls may at least owe, fit a Lua
 * number.
 *
 * <p>
 * State: parts spent, parts per permit, the time when that was so, and the time when the
 * state began with nothing spent; then {@link LowMarks}, if there are any. More may be
 * spent than the bucket holds, if another limit admitted it.
 */
final class TokenBucket implements Formula {

	static final Rule RULE = new Rule("token-bucket", "t");

	private final long capacity;

	private final long unit;

	private final long refill;

	private final long tick;

	private final Gcra gcra;

	private final LowMarks marks;

	private final long[] arguments;

	TokenBucket(Rate rate, long burst) {
		this.tick = Ticks.finest(rate, (tick) -> isCountable(rate, burst, tick))
			.orElseThrow(() -> new IllegalArgumentException("a burst of " + burst + " at " + rate
					+ " is too large to be counted exactly: use a smaller burst, a shorter period or rounder numbers"));
		long period = rate.periodMicros() / this.tick;
		long divisor = gcd(period, rate.permits());
		this.unit = period / divisor;
		this.refill = rate.permits() / divisor;
		this.capacity = burst * this.unit;
		this.gcra = new Gcra(this.capacity, this.unit, this.refill, this.tick);
		this.marks = new LowMarks(this.gcra, this.capacity);
		this.arguments = new long[] { this.capacity, this.unit, this.refill, this.tick };
	}

	@Override
	public Rule rule() {
		return RULE;
	}

	@Override
	public long[] arguments(long now) {
		return this.arguments;
	}

	@Override
	public @Nullable LongFormula longFormula() {
		return this.gcra.fitsOneNumber() ? this.gcra : null;
	}

	@Override
	public long longestWait() {
		return Math.min(Bounds.LONGEST_WAIT, (this.gcra.most() - this.capacity) / this.refill * this.tick);
	}

	@Override
	public long[] stateOf(long spent, long since, long now) {
		long parts = this.gcra.spentAfter(0, spent);
		if (since > now) {
			long owed = Math.max(parts, this.capacity) + this.gcra.refilled(since - now, now);
			return this.gcra.state(Math.min(this.gcra.most(), owed), now, now);
		}
		return this.gcra.state(this.gcra.spent(parts, since, now), now, now);
	}

	@Override
	public long @Nullable [] read(Formula writer, long[] state, long now) {
		if (!(writer instanceof TokenBucket)) {
			return null;
		}
		long spent = inParts(state[SPENT], state[UNIT]);
		if (state[UNIT] != this.unit || !this.marks.areReadable(state)) {
			return new long[] { spent, this.unit, state[Gcra.AT], state[Gcra.BEGAN] };
		}
		long[] read = (spent == state[SPENT]) ? state : state.clone();
		read[SPENT] = spent;
		return read;
	}

	@Override
	public long waitFor(long[] state, long now, long cost) {
		return this.gcra.waitOf(spent(state, now), now, cost);
	}

	@Override
	public long[] take(long[] state, long now, long cost, long wait) {
		long spent = spent(state, now);
		long[] kept = this.marks.at(state, now, spent);
		kept[SPENT] = this.gcra.spentAfter(spent, cost);
		kept[UNIT] = this.unit;
		kept[Gcra.AT] = now;
		return kept;
	}

	/** Returns whether the charge was made since the state began. */
	@Override
	public boolean isRefundable(long[] state, long chargedAt) {
		return chargedAt >= state[Gcra.BEGAN];
	}

	@Override
	public long[] refund(long[] state, long now, long cost, long chargedAt, long turn) {
		return isRefundable(state, chargedAt)
				? this.marks.refund(take(state, now, 0, 0), now, this.gcra.parts(cost), Math.min(chargedAt, now))
				: state;
	}

	@Override
	public long remaining(long[] state, long now) {
		return this.gcra.room(spent(state, now));
	}

	@Override
	public long resetAfter(long[] state, long now) {
		return this.gcra.refillTime(spent(state, now), now);
	}

	@Override
	public long fullFor(long required, long wait) {
		return (required == 1) ? wait : prefetchTime(required - 1, wait);
	}

	@Override
	public boolean isPrefetchable() {
		return true;
	}

	@Override
	public long prefetchTime(long permits, long resetAfter) {
		long refilled = Gcra.ceilDiv(Gcra.times(permits, this.unit), this.refill) + 1;
		return Math.max(0, resetAfter - Gcra.times(refilled, this.tick));
	}

	private long spent(long[] state, long now) {
		return this.gcra.spent(state[SPENT], state[Gcra.AT], now);
	}

	/** Converts to parts of this formula, rounded up. */
	private long inParts(long spent, long storedUnit) {
		if (storedUnit == this.unit) {
			return Math.min(this.gcra.most(), spent);
		}
		long whole = spent / storedUnit;
		if (whole >= this.gcra.most() / this.unit) {
			return this.gcra.most();
		}
		return whole * this.unit + share(spent % storedUnit, storedUnit);
	}

	/**
	 * Returns a part of a permit in parts of this formula, rounded up: a long
	 * multiplication and division by digits of seven bits, as their product exceeds what
	 * Lua counts without gaps.
	 */
	private long share(long part, long whole) {
		long share = 0;
		long over = 0;
		for (int digit = 42; digit >= 0; digit -= 7) {
			over = over * 128 + part * ((this.unit >> digit) % 128);
			share = share * 128 + over / whole;
			over %= whole;
		}
		return (over > 0) ? share + 1 : share;
	}

	private static boolean isCountable(Rate rate, long burst, long tick) {
		long ticks = rate.periodMicros() / tick;
		long divisor = gcd(ticks, rate.permits());
		long unit = ticks / divisor;
		return burst <= Bounds.LARGEST / 2 / unit && isCountable(rate, burst * unit, rate.permits() / divisor, tick);
	}

	private static boolean isCountable(Rate rate, long capacity, long refill, long tick) {
		long owed = Gcra.times(refill, Bounds.timeOwed(rate.periodMicros()) / tick);
		return capacity + owed <= Bounds.LARGEST && Gcra.ceilDiv(capacity, refill) <= Bounds.LARGEST / tick;
	}

	private static long gcd(long a, long b) {
		return (b == 0) ? a : gcd(b, a % b);
	}

}

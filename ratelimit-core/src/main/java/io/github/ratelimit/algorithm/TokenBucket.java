package io.github.ratelimit.algorithm;

/**
 * The token bucket in whole numbers, counted by what is spent. A permit is {@code unit}
 * parts and every tick of the clock gives back {@code refill} of them, with
 * {@code unit / refill} the reduced fraction {@code period / permits}; so nothing is ever
 * rounded. A tick is the finest of {@link Ticks} at which a full bucket fits a Lua
 * number. What is spent beyond the capacity is owed: the calls that wait in line, and
 * what was charged although it did not fit.
 *
 * <p>
 * State: parts spent, parts per permit, time, and capacity in parts, all when it was
 * stored.
 */
final class TokenBucket implements Formula {

	private static final int AT = 2;

	private static final int CAPACITY = 3;

	private final long capacity;

	private final long unit;

	private final long refill;

	private final long tick;

	private final long most;

	/** The highest cost that can be counted. */
	private final long mostPermits;

	/** Ticks after which nothing is spent, however much was. */
	private final long forgets;

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
		this.most = Math.min(LARGEST, this.capacity + times(this.refill, LONGEST_WAIT / this.tick));
		this.mostPermits = LARGEST / this.unit;
		this.forgets = ceilDiv(LARGEST, this.refill);
		this.arguments = new long[] { this.capacity, this.unit, this.refill, this.tick };
	}

	@Override
	public String rule() {
		return "token-bucket";
	}

	@Override
	public long[] arguments(long now) {
		return this.arguments;
	}

	@Override
	public long longestWait() {
		return Math.min(LONGEST_WAIT, (this.most - this.capacity) / this.refill * this.tick);
	}

	@Override
	public long[] stateOf(long spent, long now) {
		return new long[] { Math.min(this.capacity, parts(spent)), this.unit, now, this.capacity };
	}

	@Override
	public boolean adopt(long[] state, long now) {
		if (state[UNIT] != this.unit || state[CAPACITY] != this.capacity) {
			store(state, state[AT], spentElsewhere(state));
			return true;
		}
		return false;
	}

	@Override
	public long waitFor(long[] state, long now, long cost) {
		return micros(spent(state, now) + cost * this.unit - this.capacity, now);
	}

	@Override
	public long[] take(long[] state, long now, long cost, long wait) {
		store(state, now, Math.min(this.most, spent(state, now) + parts(cost)));
		return state;
	}

	/** What has been refilled since is not spent any more. */
	@Override
	public void giveBack(long[] state, long now, long cost, long place) {
		long parts = cost * this.unit;
		long elapsed = Math.max(0, ticks(now) - ticks(place));
		long refilled = (elapsed >= ceilDiv(parts, this.refill)) ? parts : elapsed * this.refill;
		store(state, now, Math.max(0, spent(state, now) - parts + refilled));
	}

	@Override
	public long remaining(long[] state, long now) {
		return Math.max(0, this.capacity - spent(state, now)) / this.unit;
	}

	@Override
	public long resetAfter(long[] state, long now) {
		return micros(spent(state, now), now);
	}

	@Override
	public boolean isLeasable() {
		return true;
	}

	@Override
	public long leaseTime(long permits, long resetAfter) {
		long refilled = ceilDiv(times(permits, this.unit), this.refill) + 1;
		return Math.max(0, resetAfter - times(refilled, this.tick));
	}

	private void store(long[] state, long at, long spent) {
		state[SPENT] = spent;
		state[UNIT] = this.unit;
		state[AT] = at;
		state[CAPACITY] = this.capacity;
	}

	private long spent(long[] state, long now) {
		long elapsed = ticks(now) - ticks(state[AT]);
		return (elapsed >= this.forgets) ? 0 : Math.max(0, state[SPENT] - elapsed * this.refill);
	}

	private long parts(long permits) {
		return (permits > this.mostPermits) ? LARGEST : permits * this.unit;
	}

	/** Without a division where there is none, as that takes longer than all the rest. */
	private long ticks(long micros) {
		return (this.tick == 1) ? micros : micros / this.tick;
	}

	/**
	 * What was spent under another limit: no more than this one holds, and what is owed.
	 */
	private long spentElsewhere(long[] state) {
		long owed = Math.max(0, state[SPENT] - state[CAPACITY]);
		long held = Math.min(this.capacity, inParts(state[SPENT] - owed, state[UNIT]));
		return Math.min(this.most, held + inParts(owed, state[UNIT]));
	}

	/** Rounded up to a part. */
	private long inParts(long spent, long storedUnit) {
		if (storedUnit == this.unit) {
			return spent;
		}
		long whole = Math.min(spent / storedUnit, this.most / this.unit);
		double fraction = (double) (spent % storedUnit) / storedUnit;
		return whole * this.unit + (long) Math.ceil(fraction * this.unit);
	}

	private long micros(long parts, long now) {
		return (parts <= 0) ? 0 : Ticks.micros(ceilDiv(parts, this.refill), this.tick, now);
	}

	private static boolean isCountable(Rate rate, long burst, long tick) {
		long ticks = rate.periodMicros() / tick;
		long divisor = gcd(ticks, rate.permits());
		long unit = ticks / divisor;
		return burst <= LARGEST / 2 / unit && isCountable(burst * unit, rate.permits() / divisor, tick);
	}

	private static boolean isCountable(long capacity, long refill, long tick) {
		return refill <= LARGEST && ceilDiv(capacity, refill) <= LARGEST / tick;
	}

	/** A product, or the largest number instead of a larger one. */
	private static long times(long a, long b) {
		return (a > LARGEST / b) ? LARGEST : a * b;
	}

	private static long ceilDiv(long dividend, long divisor) {
		return (dividend + divisor - 1) / divisor;
	}

	private static long gcd(long a, long b) {
		return (b == 0) ? a : gcd(b, a % b);
	}

}

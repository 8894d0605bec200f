package io.github.ratelimit.algorithm;

/**
 * The token bucket in whole numbers, counted by what is spent. A permit is {@code unit}
 * parts and every tick of the clock gives back {@code refill} of them, with
 * {@code unit / refill} the reduced fraction {@code period / permits}; so nothing is ever
 * rounded. A tick is the finest of {@link Ticks} at which a full bucket fits a Lua
 * number.
 *
 * <p>
 * State: parts spent, parts per permit when it was stored, time it was stored.
 */
final class TokenBucket implements Formula {

	private static final int AT = 2;

	private final long capacity;

	private final long unit;

	private final long refill;

	private final long tick;

	TokenBucket(Rate rate, long burst) {
		this.tick = Ticks.finest(rate, (tick) -> isCountable(rate, burst, tick))
			.orElseThrow(() -> new IllegalArgumentException("a burst of " + burst + " at " + rate
					+ " is too large to be counted exactly: use a smaller burst, a shorter period or rounder numbers"));
		long period = rate.periodMicros() / this.tick;
		long divisor = gcd(period, rate.permits());
		this.unit = period / divisor;
		this.refill = rate.permits() / divisor;
		this.capacity = burst * this.unit;
	}

	@Override
	public long[] arguments() {
		return new long[] { this.capacity, this.unit, this.refill, this.tick };
	}

	@Override
	public long[] stateOf(long spent, long now) {
		return new long[] { inParts(spent, 1), this.unit, now };
	}

	@Override
	public void rewind(long[] state, long now) {
		if (state[AT] > now) {
			state[AT] = now;
			take(state, now, 0);
		}
	}

	@Override
	public long retryAfter(long[] state, long now, long cost) {
		return micros(spent(state, now) + cost * this.unit - this.capacity, now);
	}

	@Override
	public long[] take(long[] state, long now, long cost) {
		state[SPENT] = spent(state, now) + cost * this.unit;
		state[UNIT] = this.unit;
		state[AT] = now;
		return state;
	}

	@Override
	public long remaining(long[] state, long now) {
		return (this.capacity - spent(state, now)) / this.unit;
	}

	@Override
	public long resetAfter(long[] state, long now) {
		return micros(spent(state, now), now);
	}

	private long spent(long[] state, long now) {
		long spent = Math.min(this.capacity, inParts(state[SPENT], state[UNIT]));
		long elapsed = now / this.tick - state[AT] / this.tick;
		return (elapsed >= ceilDiv(spent, this.refill)) ? 0 : spent - elapsed * this.refill;
	}

	/** What was spent under another limit, rounded up to a part. */
	private long inParts(long spent, long storedUnit) {
		if (storedUnit == this.unit) {
			return spent;
		}
		long whole = spent / storedUnit;
		double fraction = (double) (spent % storedUnit) / storedUnit;
		return (whole >= this.capacity / this.unit) ? this.capacity
				: whole * this.unit + (long) Math.ceil(fraction * this.unit);
	}

	private long micros(long parts, long now) {
		return Ticks.micros(ceilDiv(Math.max(0, parts), this.refill), this.tick, now);
	}

	private static boolean isCountable(Rate rate, long burst, long tick) {
		long ticks = rate.periodMicros() / tick;
		long divisor = gcd(ticks, rate.permits());
		long unit = ticks / divisor;
		return burst <= LARGEST / unit && isCountable(burst * unit, rate.permits() / divisor, tick);
	}

	private static boolean isCountable(long capacity, long refill, long tick) {
		return refill <= LARGEST && ceilDiv(capacity, refill) <= LARGEST / tick;
	}

	private static long ceilDiv(long dividend, long divisor) {
		return -Math.floorDiv(-dividend, divisor);
	}

	private static long gcd(long a, long b) {
		return (b == 0) ? a : gcd(b, a % b);
	}

}

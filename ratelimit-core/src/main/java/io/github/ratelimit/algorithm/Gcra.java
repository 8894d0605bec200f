package io.github.ratelimit.algorithm;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a token bucket in whole numbers, counted by what is spent. A permit
 * is {@code unit} parts and every tick of the clock refills {@code refill} of them, with
 * {@code unit / refill} the reduced fraction {@code period / permits}; so nothing is ever
 * rounded. Parts spent beyond the capacity are owed: by calls that wait for their turn,
 * and by charges that did not fit.
 *
 * <p>
 * As a number, the spent amount is the theoretical arrival time of the generic cell rate
 * algorithm (ITU-T I.371, Annex A), which only charges change: the time at which all will
 * be refilled, in parts that are refilled until then. Times are microseconds since 1970,
 * of a clock that never steps back. Immutable.
 */
final class Gcra implements LongFormula {

	/** The index in a state of the time when its amount was spent. */
	static final int AT = 2;

	/** The index in a state of the time when it began with nothing spent. */
	static final int BEGAN = 3;

	/** The numbers of a state that one number can represent. */
	static final int LENGTH = 4;

	/** The highest refill per tick at which times fit a long until the year 2255. */
	private static final long QUICKEST = 1024;

	private final long capacity;

	private final long unit;

	private final long refill;

	private final long tick;

	private final long most;

	/** The highest cost that can be counted. */
	private final long mostPermits;

	/** The ticks after which nothing is spent, regardless of the amount before. */
	private final long forgets;

	Gcra(long capacity, long unit, long refill, long tick) {
		this.unit = unit;
		this.refill = refill;
		this.tick = tick;
		this.capacity = capacity;
		this.most = Math.min(Bounds.LARGEST, this.capacity + times(refill, Bounds.LONGEST_WAIT / tick));
		this.mostPermits = Bounds.LARGEST / unit;
		this.forgets = ceilDiv(Bounds.LARGEST, refill);
	}

	/** Returns the most that can be spent, in parts. */
	long most() {
		return this.most;
	}

	/**
	 * Returns whether one number can represent all that may be spent.
	 */
	boolean fitsOneNumber() {
		return this.refill / this.tick <= QUICKEST;
	}

	@Override
	public long origin(long now) {
		return 0;
	}

	@Override
	public long pack(long[] state, long origin) {
		return (state.length > LENGTH) ? UNFIT : arrival(state[Formula.SPENT], state[AT]);
	}

	@Override
	public long[] unpack(long number, long origin, long at, long began) {
		return state(spent(number, at), at, began);
	}

	@Override
	public long began(long[] state) {
		return state[BEGAN];
	}

	@Override
	public boolean isUnspent(long number, long now) {
		return spent(number, now) == 0;
	}

	@Override
	public long waitFor(long number, long now, long cost) {
		return waitOf(spent(number, now), now, cost);
	}

	@Override
	public long charge(long number, long now, long cost, long wait) {
		return arrival(spentAfter(spent(number, now), cost), now);
	}

	@Override
	public long remaining(long number, long now) {
		return room(spent(number, now));
	}

	@Override
	public long resetAfter(long number, long now) {
		return refillTime(spent(number, now), now);
	}

	/** Returns the number of what is spent at a time. */
	private long arrival(long spent, long now) {
		return ticks(now) * this.refill + spent;
	}

	/** Returns what a number has spent at a time. */
	private long spent(long arrival, long now) {
		return Math.max(0, arrival - ticks(now) * this.refill);
	}

	/** Returns what remains spent later. */
	long spent(long spent, long at, long now) {
		long elapsed = ticks(now) - ticks(at);
		return (elapsed >= this.forgets) ? 0 : Math.max(0, spent - elapsed * this.refill);
	}

	/** Returns what is spent after a charge, even if that does not fit. */
	long spentAfter(long spent, long cost) {
		return Math.min(this.most, spent + parts(cost));
	}

	/** Returns the time until a cost fits, of which a full bucket has room. */
	long waitOf(long spent, long now, long cost) {
		return refillTime(spent + cost * this.unit - this.capacity, now);
	}

	/** Returns the whole permits that would be admitted, rounded down. */
	long room(long spent) {
		return Math.max(0, this.capacity - spent) / this.unit;
	}

	/** Returns the time until parts are refilled; 0 for none. */
	long refillTime(long spent, long now) {
		return (spent <= 0) ? 0 : Ticks.micros(ceilDiv(spent, this.refill), this.tick, now);
	}

	/** Creates a state for the formula of a token bucket. */
	long[] state(long spent, long at, long began) {
		return new long[] { spent, this.unit, at, began };
	}

	/** Returns the parts refilled in a time from now on, the last tick in full. */
	long refilled(long micros, long now) {
		return times(this.refill, ceilDiv(micros + now % this.tick, this.tick));
	}

	/** Returns the parts of permits, or the largest number instead of a larger one. */
	long parts(long permits) {
		return (permits > this.mostPermits) ? Bounds.LARGEST : permits * this.unit;
	}

	/** Avoids a division by 1, which takes longer than all the rest. */
	private long ticks(long micros) {
		return (this.tick == 1) ? micros : micros / this.tick;
	}

	/** Returns a product, or the largest number instead of a larger one. */
	static long times(long a, long b) {
		return (a > Bounds.LARGEST / b) ? Bounds.LARGEST : a * b;
	}

	static long ceilDiv(long dividend, long divisor) {
		return (divisor == 1) ? dividend : (dividend + divisor - 1) / divisor;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof Gcra that && this.capacity == that.capacity && this.unit == that.unit
				&& this.refill == that.refill && this.tick == that.tick);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.capacity, this.unit, this.refill, this.tick);
	}

}

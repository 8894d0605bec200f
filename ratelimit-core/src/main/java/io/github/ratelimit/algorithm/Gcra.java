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
 * The spent amount may be kept as one number that only charges change, like the
 * theoretical arrival time of the generic cell rate algorithm (ITU-T I.371, Annex A): the
 * time at which all will be refilled, in parts that are refilled until then. So threads
 * can count by a single compare-and-set. Times are microseconds of a clock that never
 * steps back. Immutable.
 */
public final class Gcra {

	/** The index in a state of the time when it began with nothing spent. */
	static final int BEGAN = 3;

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

	/**
	 * Returns the number that represents what is spent at a time.
	 * @param spent parts
	 * @param now the time
	 * @return parts that will have been refilled since 1970 once nothing is spent
	 */
	public long arrival(long spent, long now) {
		return ticks(now) * this.refill + spent;
	}

	/**
	 * Returns what is spent at a time, if nothing is charged until then.
	 * @param arrival the number that represents it
	 * @param now the time
	 * @return parts, at least 0
	 */
	public long spent(long arrival, long now) {
		return Math.max(0, arrival - ticks(now) * this.refill);
	}

	/** Returns what remains spent later. */
	long spent(long spent, long at, long now) {
		long elapsed = ticks(now) - ticks(at);
		return (elapsed >= this.forgets) ? 0 : Math.max(0, spent - elapsed * this.refill);
	}

	/**
	 * Returns what is spent after a charge, even if that does not fit.
	 * @param spent parts that are spent before
	 * @param cost permits, at least 0
	 * @return parts, at least 0
	 */
	public long charge(long spent, long cost) {
		return Math.min(this.most, spent + parts(cost));
	}

	/**
	 * Returns the time until a cost fits.
	 * @param spent parts that are spent now
	 * @param now the time
	 * @param cost at least 0 and at most what the limit can ever admit
	 * @return microseconds; 0 if it fits now
	 */
	public long waitFor(long spent, long now, long cost) {
		return resetAfter(spent + cost * this.unit - this.capacity, now);
	}

	/**
	 * Returns the permits that would be admitted.
	 * @param spent parts that are spent now
	 * @return whole permits, rounded down
	 */
	public long remaining(long spent) {
		return Math.max(0, this.capacity - spent) / this.unit;
	}

	/**
	 * Returns the time until nothing is spent.
	 * @param spent parts that are spent now
	 * @param now the time
	 * @return microseconds; 0 if nothing is
	 */
	public long resetAfter(long spent, long now) {
		return (spent <= 0) ? 0 : Ticks.micros(ceilDiv(spent, this.refill), this.tick, now);
	}

	/**
	 * Creates a state for the formula of a token bucket.
	 * @param spent parts
	 * @param at the time
	 * @param began when the state began with nothing spent
	 * @return a new state
	 */
	public long[] state(long spent, long at, long began) {
		return new long[] { spent, this.unit, at, began };
	}

	/**
	 * Returns when a state began with nothing spent.
	 * @param state a state created by {@link #state}
	 * @return the time
	 */
	public long began(long[] state) {
		return state[BEGAN];
	}

	/** Returns the parts refilled in a time from now on, the last tick in full. */
	long refilled(long micros, long now) {
		return times(this.refill, ceilDiv(micros + now % this.tick, this.tick));
	}

	private long parts(long permits) {
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

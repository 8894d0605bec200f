package io.github.ratelimit.algorithm;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a token bucket in whole numbers, counted by what is spent. A permit
 * is {@code unit} parts and every tick of the clock gives back {@code refill} of them,
 * with {@code unit / refill} the reduced fraction {@code period / permits}; so nothing is
 * ever rounded. What is spent beyond the capacity is owed: the calls that wait in line,
 * and what was charged although it did not fit.
 *
 * <p>
 * What is spent may be kept as one number that does not change while nobody calls, as the
 * generic cell rate algorithm does by its theoretical arrival time (ITU-T I.371, Annex
 * A): the time at which all will be refilled, in parts that are refilled until then. So
 * threads can count by a single compare-and-set. Times are microseconds of a clock that
 * never steps back. Immutable.
 */
public final class Gcra {

	/** Up to this refill a tick, times fit a long until the year 2255. */
	private static final long QUICKEST = 1024;

	private final long capacity;

	private final long unit;

	private final long refill;

	private final long tick;

	private final long most;

	/** The highest cost that can be counted. */
	private final long mostPermits;

	/** Ticks after which nothing is spent, however much was. */
	private final long forgets;

	Gcra(long capacity, long unit, long refill, long tick) {
		this.unit = unit;
		this.refill = refill;
		this.tick = tick;
		this.capacity = capacity;
		this.most = Math.min(Formula.LARGEST, this.capacity + times(refill, Formula.LONGEST_WAIT / tick));
		this.mostPermits = Formula.LARGEST / unit;
		this.forgets = ceilDiv(Formula.LARGEST, refill);
	}

	/** The most that can be spent, in parts. */
	long most() {
		return this.most;
	}

	/**
	 * Whether all that may be spent can be told by one number.
	 */
	boolean fitsOneNumber() {
		return this.refill / this.tick <= QUICKEST;
	}

	/**
	 * The number that tells what is spent at a time.
	 * @param spent parts
	 * @param now the time
	 * @return parts that will have been refilled since 1970 once nothing is spent
	 */
	public long arrival(long spent, long now) {
		return ticks(now) * this.refill + spent;
	}

	/**
	 * What is spent at a time, if nothing is charged until then.
	 * @param arrival the number that tells it
	 * @param now the time
	 * @return parts, at least 0
	 */
	public long spent(long arrival, long now) {
		return Math.max(0, arrival - ticks(now) * this.refill);
	}

	/** What is left of it after a while. */
	long spent(long spent, long at, long now) {
		long elapsed = ticks(now) - ticks(at);
		return (elapsed >= this.forgets) ? 0 : Math.max(0, spent - elapsed * this.refill);
	}

	/**
	 * What is spent once a cost is charged, whether it fits or not.
	 * @param spent parts that are spent before
	 * @param cost permits, at least 0
	 * @return parts, at least 0
	 */
	public long charge(long spent, long cost) {
		return Math.min(this.most, spent + parts(cost));
	}

	/**
	 * How long until a cost fits.
	 * @param spent parts that are spent now
	 * @param now the time
	 * @param cost at least 0 and at most what the limit can ever admit
	 * @return microseconds; 0 if it fits now
	 */
	public long waitFor(long spent, long now, long cost) {
		return resetAfter(spent + cost * this.unit - this.capacity, now);
	}

	/**
	 * How many permits would be admitted.
	 * @param spent parts that are spent now
	 * @return whole permits, rounded down
	 */
	public long remaining(long spent) {
		return Math.max(0, this.capacity - spent) / this.unit;
	}

	/**
	 * How long until nothing is spent.
	 * @param spent parts that are spent now
	 * @param now the time
	 * @return microseconds; 0 if nothing is
	 */
	public long resetAfter(long spent, long now) {
		return (spent <= 0) ? 0 : Ticks.micros(ceilDiv(spent, this.refill), this.tick, now);
	}

	/**
	 * What is spent as a state, such as the formula of a token bucket takes.
	 * @param spent parts
	 * @param at the time
	 * @param began when the state began with nothing spent
	 * @return a new state
	 */
	public long[] state(long spent, long at, long began) {
		return new long[] { spent, this.unit, at, began };
	}

	/**
	 * When a state began with nothing spent.
	 * @param state what {@link #state} answered
	 * @return the time
	 */
	public long began(long[] state) {
		return state[TokenBucket.BEGAN];
	}

	/** The parts that are refilled in a time from now on, the last tick in full. */
	long refilled(long micros, long now) {
		return times(this.refill, ceilDiv(micros + now % this.tick, this.tick));
	}

	private long parts(long permits) {
		return (permits > this.mostPermits) ? Formula.LARGEST : permits * this.unit;
	}

	/** Without a division where there is none, as that takes longer than all the rest. */
	private long ticks(long micros) {
		return (this.tick == 1) ? micros : micros / this.tick;
	}

	/** A product, or the largest number instead of a larger one. */
	static long times(long a, long b) {
		return (a > Formula.LARGEST / b) ? Formula.LARGEST : a * b;
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

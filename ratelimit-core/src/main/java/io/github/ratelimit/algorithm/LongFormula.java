package io.github.ratelimit.algorithm;

/**
 * A formula on states of one number, so that threads can count by a single
 * compare-and-set. It decides as the {@link Formula} of the same limit does. Numbers are
 * at least 0. Times are microseconds since an origin, of a clock that never steps back.
 *
 * <p>
 * For stores that decide in Java. Immutable. Two are equal if they read each other's
 * numbers and decide alike.
 */
public interface LongFormula {

	/** The result instead of a state that does not fit one number. */
	long UNFIT = -1;

	/**
	 * Returns the origin for numbers that are created at a time.
	 * @param now microseconds since 1970
	 * @return at most that time
	 */
	long origin(long now);

	/**
	 * Packs a state.
	 * @param state the state, left as it is
	 * @param origin the origin of the number, in microseconds since 1970
	 * @return the number, or {@link #UNFIT}
	 */
	long pack(long[] state, long origin);

	/**
	 * Unpacks a number.
	 * @param number the number
	 * @param origin its origin, in microseconds since 1970
	 * @param at the time of the last change, in microseconds since 1970
	 * @param began when the state began with nothing spent, in the same unit
	 * @return a new state
	 */
	long[] unpack(long number, long origin, long at, long began);

	/**
	 * Returns when a state began with nothing spent.
	 * @param state the state, left as it is
	 * @return the time, in the unit of the state
	 */
	long began(long[] state);

	/**
	 * Returns whether a number is as if never charged.
	 * @param number the number
	 * @param now the current time
	 * @return whether {@link #resetAfter} is 0
	 */
	boolean isUnspent(long number, long now);

	/**
	 * Returns how long a cost has to wait.
	 * @param number the number
	 * @param now the current time
	 * @param cost at least 0 and at most what the limit can ever admit
	 * @return microseconds; 0 if it fits now
	 */
	long waitFor(long number, long now, long cost);

	/**
	 * Returns the number after a charge.
	 * @param number the number
	 * @param now the current time
	 * @param cost at least 1
	 * @param wait the result of {@link #waitFor}
	 * @return the number, or {@link #UNFIT}
	 */
	long charge(long number, long now, long cost, long wait);

	/**
	 * Returns the permits that would be admitted now.
	 * @param number the number
	 * @param now the current time
	 * @return whole permits, rounded down
	 */
	long remaining(long number, long now);

	/**
	 * Returns the time until the number is as if never charged.
	 * @param number the number
	 * @param now the current time
	 * @return microseconds; 0 if it is so now
	 */
	long resetAfter(long number, long now);

}

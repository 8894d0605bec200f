package io.github.ratelimit.algorithm;

/**
 * An algorithm with the numbers of one limit worked out: exact arithmetic over a state,
 * which is an array of longs that begins with what is spent and in which unit; what
 * follows only the algorithm can read. Times are microseconds of one clock. Every state
 * is {@linkplain #rewind rewound} before it is read.
 *
 * <p>
 * For stores that decide in Java. Immutable; a state is guarded by the store that holds
 * it.
 */
public interface Formula {

	/** How many numbers a Lua form takes. */
	int ARGUMENTS = 4;

	/** Where a state holds what is spent, in parts of a permit. */
	int SPENT = 0;

	/** Where a state holds how many parts a permit had when it was stored. */
	int UNIT = 1;

	/** The largest number up to which Lua counts without gaps. */
	long LARGEST = 1L << 53;

	/**
	 * The numbers that the algorithm's Lua form takes, in its order.
	 * @return {@value #ARGUMENTS} whole numbers up to {@link #LARGEST}
	 */
	long[] arguments();

	/**
	 * A state in which so many permits were spent just now.
	 * @param spent whole permits, 0 for a key that was never charged
	 * @param now the current time
	 * @return a new state, with no more spent than the limit can hold
	 */
	long[] stateOf(long spent, long now);

	/**
	 * Makes up for a clock that stepped back: what was consumed stays consumed, and time
	 * counts on from {@code now}.
	 * @param state changed where it lies ahead of {@code now}
	 * @param now the current time
	 */
	void rewind(long[] state, long now);

	/**
	 * How long until {@code cost} fits, if nothing else is charged meanwhile.
	 * @param state left as it is
	 * @param now the current time
	 * @param cost at least 0 and at most what the limit can ever admit
	 * @return microseconds; 0 if it fits now
	 */
	long retryAfter(long[] state, long now, long cost);

	/**
	 * Charges a cost that fits.
	 * @param state changed
	 * @param now the current time
	 * @param cost one for which {@link #retryAfter} is 0
	 * @return the state to keep: the same, or another in its place
	 */
	long[] take(long[] state, long now, long cost);

	/**
	 * How many permits would be admitted now.
	 * @param state left as it is
	 * @param now the current time
	 * @return whole permits, rounded down
	 */
	long remaining(long[] state, long now);

	/**
	 * How long until the state is as if never charged.
	 * @param state left as it is
	 * @param now the current time
	 * @return microseconds; 0 if it is so now
	 */
	long resetAfter(long[] state, long now);

	/**
	 * The whole permits that any state holds as spent, whichever algorithm it is of.
	 * @param state left as it is
	 * @return permits, rounded up
	 */
	static long permitsSpent(long[] state) {
		return -Math.floorDiv(-state[SPENT], state[UNIT]);
	}

}

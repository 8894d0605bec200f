package io.github.ratelimit.algorithm;

import java.util.concurrent.TimeUnit;

/**
 * The bounds of all numbers that algorithms count.
 */
public final class Bounds {

	/** The largest number up to which Lua counts without gaps. */
	public static final long LARGEST = 1L << 53;

	/** The longest wait of a call, in microseconds. */
	public static final long LONGEST_WAIT = TimeUnit.DAYS.toMicros(366);

	/**
	 * The periods whose permits every limit can count beyond its burst, if they are no
	 * longer than the longest wait.
	 */
	static final long PERIODS_OWED = 16;

	/** The most permits of a window, so that those owed can be counted too. */
	static final long MOST_PERMITS = LARGEST / (4 * PERIODS_OWED);

	private Bounds() {
	}

	/**
	 * Returns the time whose permits can at least be owed, in microseconds.
	 */
	static long timeOwed(long periodMicros) {
		return Math.min(LONGEST_WAIT, PERIODS_OWED * periodMicros);
	}

}

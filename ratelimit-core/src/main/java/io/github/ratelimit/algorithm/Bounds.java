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

	private Bounds() {
	}

}

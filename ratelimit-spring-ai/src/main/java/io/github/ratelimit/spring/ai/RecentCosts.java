package io.github.ratelimit.spring.ai;

import java.util.Arrays;

/**
 * The costs of the last 256 calls under a policy. Thread-safe.
 */
final class RecentCosts {

	private static final int SIZE = 256;

	private static final int PERCENT = 95;

	private static final long UNKNOWN = -1;

	private final long[] costs = new long[SIZE];

	private long added;

	private volatile long percentile = UNKNOWN;

	/** Adds the cost of a call. */
	synchronized void add(long cost) {
		this.costs[(int) (this.added % SIZE)] = cost;
		this.added++;
		long[] sorted = Arrays.copyOf(this.costs, (int) Math.min(this.added, SIZE));
		Arrays.sort(sorted);
		this.percentile = sorted[(sorted.length * PERCENT + 99) / 100 - 1];
	}

	/**
	 * Returns the cost that 95 percent of the calls do not exceed.
	 * @param initial the cost before any call is known
	 */
	long percentile(long initial) {
		long known = this.percentile;
		return (known == UNKNOWN) ? initial : known;
	}

}

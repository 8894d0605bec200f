package io.github.ratelimit.spring.ai;

import java.util.Arrays;

/**
 * The costs of a caller's last 64 calls under a policy, and what they left. Thread-safe.
 */
final class CallerCosts {

	private static final int SIZE = 64;

	private static final int PERCENT = 95;

	private static final long UNKNOWN = Long.MAX_VALUE;

	private final long[] costs = new long[SIZE];

	private long added;

	private long left = UNKNOWN;

	/** Adds the cost of a call. */
	synchronized void add(long cost) {
		this.costs[(int) (this.added % SIZE)] = cost;
		this.added++;
	}

	/** Remembers the permits that the caller has left, for the next estimate alone. */
	synchronized void leave(long permits) {
		this.left = permits;
	}

	/**
	 * Returns the cost that 95 percent of the calls do not exceed. It is at most what is
	 * left, unless the caller has never paid so little: otherwise a call as cheap as
	 * others before would be denied although there is room for it. Unless models are
	 * free, it is at least 1, as calls that cost nothing are never denied.
	 * @param initial the cost before any call is known
	 */
	synchronized long estimate(long initial) {
		long[] sorted = Arrays.copyOf(this.costs, (int) Math.min(this.added, SIZE));
		Arrays.sort(sorted);
		long usual = (sorted.length == 0) ? initial : sorted[(sorted.length * PERCENT + 99) / 100 - 1];
		long lowest = (sorted.length == 0) ? initial : Math.min(initial, sorted[0]);
		long affordable = Math.max(this.left, lowest);
		this.left = UNKNOWN;
		return Math.max(Math.min(usual, affordable), Math.min(initial, 1));
	}

}

package io.github.ratelimit.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of the states of a store that have grown, bounded. One half goes to them
 * first come, first served. The other half is a share for each of the most counts there
 * may be, up to which a state may grow even if the first half is used up. Thread-safe.
 */
final class StateMemory {

	private final long common;

	private final long share;

	private final AtomicLong held = new AtomicLong();

	private final AtomicLong refused = new AtomicLong();

	/**
	 * Memory that holds nothing yet.
	 * @param maxBytes what states that have grown may take up
	 * @param maxCounts how many states there may be
	 */
	StateMemory(long maxBytes, int maxCounts) {
		this.common = maxBytes / 2 / Long.BYTES;
		this.share = this.common / maxCounts;
	}

	/** Takes up what a state grows by, if it may. */
	boolean tryGrow(int from, int to) {
		long growth = (long) to - from;
		if (this.held.addAndGet(growth) <= this.common || to <= this.share) {
			return true;
		}
		this.held.addAndGet(-growth);
		this.refused.incrementAndGet();
		return false;
	}

	/** Frees what a state took up. */
	void release(int length) {
		this.held.addAndGet(-length);
	}

	/** How many bytes all states that have grown take up. */
	long bytes() {
		return this.held.get() * Long.BYTES;
	}

	/** How many times a state could not grow. */
	long refused() {
		return this.refused.get();
	}

}

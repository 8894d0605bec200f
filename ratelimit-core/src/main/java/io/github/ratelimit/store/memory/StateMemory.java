package io.github.ratelimit.store.memory;

import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.store.Count;

/**
 * The bounded memory of a store's grown states. One half is first come, first served. The
 * other half is a share for each of the most counts there may be: a state may grow up to
 * it even if the first half is used up. Thread-safe.
 */
final class StateMemory implements Count.Memory {

	private final long common;

	private final long share;

	private final AtomicLong used = new AtomicLong();

	private final AtomicLong refused = new AtomicLong();

	/**
	 * Creates an unused memory.
	 * @param maxBytes the memory for all grown states
	 * @param maxCounts the most states there may be
	 */
	StateMemory(long maxBytes, int maxCounts) {
		this.common = maxBytes / 2 / Long.BYTES;
		this.share = this.common / maxCounts;
	}

	@Override
	public boolean tryGrow(int from, int to) {
		long growth = (long) to - from;
		if (this.used.addAndGet(growth) <= this.common || to <= this.share) {
			return true;
		}
		this.used.addAndGet(-growth);
		this.refused.incrementAndGet();
		return false;
	}

	@Override
	public void release(int length) {
		this.used.addAndGet(-length);
	}

	/** Returns the bytes that all grown states may take up. */
	long maxBytes() {
		return this.common * 2 * Long.BYTES;
	}

	/** Returns the bytes that all grown states take up. */
	long bytes() {
		return this.used.get() * Long.BYTES;
	}

	/** Returns how many times a state could not grow. */
	long refused() {
		return this.refused.get();
	}

}

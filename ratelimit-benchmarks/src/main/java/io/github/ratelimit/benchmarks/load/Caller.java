package io.github.ratelimit.benchmarks.load;

import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * Makes calls one after the other, for random keys, and keeps how long each took. Used by
 * one thread at a time.
 */
final class Caller {

	private static final long LONGEST_NANOS = 60_000_000_000L;

	private final Histogram latencies = new Histogram(LONGEST_NANOS, 2);

	private final Phase phase;

	private final List<String> keys;

	private int random;

	private long began;

	private long unexpected;

	Caller(Phase phase, List<String> keys, int seed) {
		this.phase = phase;
		this.keys = keys;
		this.random = seed * 0x9E3779B9 | 1;
	}

	/** Notes when the first call begins: the others begin where the one before ends. */
	void begins() {
		this.began = System.nanoTime();
	}

	/** Whose turn it is: by xorshift, which costs nothing. */
	String nextKey() {
		this.random ^= this.random << 13;
		this.random ^= this.random >>> 17;
		this.random ^= this.random << 5;
		return this.keys.get((this.random >>> 1) % this.keys.size());
	}

	void ended(boolean asExpected) {
		long now = System.nanoTime();
		if (this.phase.isMeasured()) {
			this.latencies.recordValue(Math.min(now - this.began, LONGEST_NANOS));
			this.unexpected += asExpected ? 0 : 1;
		}
		this.began = now;
	}

	Histogram latencies() {
		return this.latencies;
	}

	/** How many calls were admitted or denied that should not have been. */
	long unexpected() {
		return this.unexpected;
	}

}

package io.github.ratelimit.pairs;

/**
 * The permits that a key has spent of a limit.
 */
final class Count {

	private final long most;

	private long used;

	Count(long most) {
		this.most = most;
	}

	boolean hasRoom(long cost) {
		return this.used + cost <= this.most;
	}

	void add(long cost) {
		this.used += cost;
	}

	long remaining() {
		return Math.max(0, this.most - this.used);
	}

}

package io.github.ratelimit.test;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The turns of the tests that share an application context and so its counts. Each starts
 * afresh. Thread-safe.
 */
final class TestTurns {

	private final ReentrantLock turn = new ReentrantLock(true);

	private final TestRateLimits limits;

	private final TestStore store;

	TestTurns(TestRateLimits limits, TestStore store) {
		this.limits = limits;
		this.store = store;
	}

	/** Waits for the turn of a test of this thread. {@link #end} has to follow. */
	void await() {
		this.turn.lock();
	}

	/** Begins a test, with all permits. */
	void begin(boolean limited) {
		this.limits.reset();
		this.store.limit(limited);
	}

	/** Ends the turn of this thread. */
	void end() {
		this.turn.unlock();
	}

}

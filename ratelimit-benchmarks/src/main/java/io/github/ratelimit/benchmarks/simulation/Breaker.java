package io.github.ratelimit.benchmarks.simulation;

import java.util.SplittableRandom;

/**
 * The rules of the circuit breaker: it opens after five failures in a row or more than
 * ten of twenty, lets a probe pass every 200 to 1000 ms, and closes by the first success
 * of one.
 */
final class Breaker {

	private static final int WINDOW = (1 << 20) - 1;

	private static final int NEWEST = 0b11111;

	private final SplittableRandom random;

	private int outcomes;

	private boolean open;

	private double nextProbe;

	Breaker(SplittableRandom random) {
		this.random = random;
	}

	boolean isOpen() {
		return this.open;
	}

	/** Returns whether a run may pass; while it is open, only a probe of one call may. */
	boolean tryPass(double now, int calls) {
		if (!this.open) {
			return true;
		}
		boolean probes = calls == 1 && now >= this.nextProbe;
		if (probes) {
			this.nextProbe = now + pause();
		}
		return probes;
	}

	/** Closes the breaker, as only a probe can succeed while it is open. */
	void onSuccess() {
		this.outcomes = this.open ? 0 : (this.outcomes << 1) & WINDOW;
		this.open = false;
	}

	void onLateReply(double now) {
		this.outcomes = 0;
		this.nextProbe = now;
	}

	void onFailure(double now, int calls) {
		for (int call = 0; call < Math.min(calls, 5); call++) {
			this.outcomes = (this.outcomes << 1 | 1) & WINDOW;
		}
		boolean tooMany = (this.outcomes & NEWEST) == NEWEST || Integer.bitCount(this.outcomes) > 10;
		if (tooMany && !this.open) {
			this.open = true;
			this.nextProbe = now + pause();
		}
	}

	private double pause() {
		return this.random.nextDouble(200_000, 1_000_000);
	}

}

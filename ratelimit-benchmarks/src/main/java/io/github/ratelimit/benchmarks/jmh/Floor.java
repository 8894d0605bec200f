package io.github.ratelimit.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The least that can be called a limit: the generic cell rate algorithm on one number,
 * which says yes or no.
 */
final class Floor {

	private static final long INTERVAL = TimeUnit.HOURS.toNanos(1) / Rates.PERMITS;

	private static final long BURST = INTERVAL * Rates.BURST;

	private Floor() {
	}

	static boolean admits(AtomicLong count) {
		long now = System.nanoTime();
		while (true) {
			long known = count.get();
			long next = Math.max(known, now) + INTERVAL;
			if (next - now > BURST) {
				return false;
			}
			if (count.compareAndSet(known, next)) {
				return true;
			}
		}
	}

}

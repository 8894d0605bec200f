package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waiting, which tests of faults cannot do without: an outage lasts.
 */
final class Moments {

	private Moments() {
	}

	static void sleep(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	/** Waits until something is so, for a limited time, and tells how long it took. */
	static Duration until(Duration limit, BooleanSupplier condition) {
		long begin = System.nanoTime();
		while (!condition.getAsBoolean()) {
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(limit);
			LockSupport.parkNanos(2_000_000);
		}
		return Duration.ofNanos(System.nanoTime() - begin);
	}

	static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

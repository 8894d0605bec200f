package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/** Waits of tests of faults, which need them as an outage lasts. */
final class Timing {

	private Timing() {
	}

	static void sleep(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	/** Waits for a condition up to a limit, and returns the time that it took. */
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

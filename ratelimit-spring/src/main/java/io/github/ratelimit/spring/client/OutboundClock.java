package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The clock of outbound calls. */
interface OutboundClock {

	/** The clock of the JVM. */
	OutboundClock SYSTEM = new OutboundClock() {

		@Override
		public long nanos() {
			return System.nanoTime();
		}

		@Override
		public Instant date() {
			return Instant.now();
		}

		@Override
		public void sleep(Duration duration) throws InterruptedException {
			TimeUnit.NANOSECONDS.sleep(duration.toNanos());
		}

	};

	/** Returns nanoseconds from an arbitrary origin, by a clock that never steps. */
	long nanos();

	/** Returns the current date, for responses without one. */
	Instant date();

	/** Blocks the current thread. */
	void sleep(Duration duration) throws InterruptedException;

}

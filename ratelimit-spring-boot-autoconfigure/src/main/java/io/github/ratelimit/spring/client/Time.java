package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Time as outbound calls know it.
 */
interface Time {

	/** That of the process. */
	Time REAL = new Time() {

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

	/** Of a clock that never steps. */
	long nanos();

	/** Of the calendar, for answers that do not say when they were made. */
	Instant date();

	/** Holds up the calling thread. */
	void sleep(Duration duration) throws InterruptedException;

}

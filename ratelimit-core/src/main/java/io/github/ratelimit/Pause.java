package io.github.ratelimit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.Delays;

/**
 * Lets time pass for a call that waits in line.
 */
interface Pause {

	/** Of the process's own clock. */
	Pause REAL = new Pause() {

		@Override
		public void sleep(long micros) throws InterruptedException {
			TimeUnit.MICROSECONDS.sleep(micros);
		}

		@Override
		public CompletableFuture<Void> delay(long micros) {
			return (micros == 0) ? CompletableFuture.completedFuture(null)
					: Delays.after(micros, TimeUnit.MICROSECONDS);
		}

	};

	/** Holds up the calling thread. */
	void sleep(long micros) throws InterruptedException;

	/**
	 * Completes later, on a thread that must not be blocked. Cancelling it frees the
	 * timer.
	 */
	CompletableFuture<Void> delay(long micros);

}

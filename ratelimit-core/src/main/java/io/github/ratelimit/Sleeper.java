package io.github.ratelimit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.Delays;

/**
 * A sleeper lets time pass for a call that waits for its turn.
 */
interface Sleeper {

	/** The sleeper on the process's own clock. */
	Sleeper REAL = new Sleeper() {

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

	/** Blocks the calling thread. */
	void sleep(long micros) throws InterruptedException;

	/**
	 * Completes later, on a thread that must not be blocked. Cancelling it frees the
	 * timer.
	 */
	CompletableFuture<Void> delay(long micros);

}

package io.github.ratelimit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

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
		public CompletionStage<Void> delay(long micros) {
			return (micros == 0) ? CompletableFuture.completedFuture(null)
					: new CompletableFuture<Void>().completeOnTimeout(null, micros, TimeUnit.MICROSECONDS);
		}

	};

	/** Holds up the calling thread. */
	void sleep(long micros) throws InterruptedException;

	/** Completes later, on a thread that must not be blocked; at once for 0. */
	CompletionStage<Void> delay(long micros);

}

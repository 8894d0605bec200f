package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How far the calls of one measurement have come: they warm up, are measured, and end, or
 * end by the first that fails.
 */
final class Phase {

	private final CompletableFuture<Void> failure = new CompletableFuture<>();

	private volatile boolean measured;

	private volatile boolean ended;

	boolean isMeasured() {
		return this.measured;
	}

	boolean hasEnded() {
		return this.ended;
	}

	void measure() {
		this.measured = true;
	}

	void stopMeasuring() {
		this.measured = false;
	}

	void end() {
		this.ended = true;
	}

	void fail(Throwable failure) {
		this.failure.completeExceptionally(failure);
	}

	/** Lets the calls go on for some time. */
	void goOnFor(Duration time) {
		try {
			this.failure.get(time.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			// none has failed
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A call failed", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

}

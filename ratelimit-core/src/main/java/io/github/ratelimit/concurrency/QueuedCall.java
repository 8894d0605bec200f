package io.github.ratelimit.concurrency;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.PermitRequest;
import org.jspecify.annotations.Nullable;

/**
 * A call in a queue, which pauses between its tries. As the first of its queue it tries
 * at once when a permit was released, and otherwise at intervals, which grow and are
 * jittered. Thread-safe.
 */
final class QueuedCall {

	private static final long FIRST_INTERVAL = TimeUnit.MILLISECONDS.toMicros(10);

	private static final long LONGEST_INTERVAL = TimeUnit.MILLISECONDS.toMicros(100);

	private static final long SHORTEST_INTERVAL = TimeUnit.MILLISECONDS.toMicros(1);

	private final long arrival;

	private final boolean onThread;

	private final WaitingCalls waiting;

	/** The present pause. */
	private volatile CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);

	/** The flag for permits that may have been released since the last try. */
	private volatile boolean released;

	private volatile long interval = FIRST_INTERVAL;

	/** The time until the next try of the first call. */
	private volatile long untilTry = FIRST_INTERVAL;

	/** The permit that the call waits for. */
	private volatile @Nullable PermitRequest permit;

	/**
	 * Creates a call that has not tried yet.
	 * @param arrival the call's number, in the order of all calls
	 * @param onThread whether the call blocks its thread
	 */
	QueuedCall(long arrival, boolean onThread, WaitingCalls waiting) {
		this.arrival = arrival;
		this.onThread = onThread;
		this.waiting = waiting;
	}

	long arrival() {
		return this.arrival;
	}

	boolean isOnThread() {
		return this.onThread;
	}

	@Nullable PermitRequest permit() {
		return this.permit;
	}

	void waitFor(@Nullable PermitRequest permit) {
		this.permit = permit;
	}

	/**
	 * Starts a pause, which ends before the next try or when the time is over.
	 * @param left the time that is left, in microseconds
	 */
	CompletableFuture<Void> startPause(long left) {
		CompletableFuture<Void> started = new CompletableFuture<>();
		this.pause = started;
		endAfter(left);
		return started;
	}

	/** Tries soon, as the first of the queue. */
	void tryAsFirst() {
		if (this.released) {
			endPause();
		}
		else {
			endAfter(this.untilTry);
		}
	}

	/** Tries now, as the first of the queue: a permit may have been released. */
	void tryNow() {
		this.released = true;
		endPause();
	}

	/** Ends the pause at once, as the call no longer waits. */
	void stop() {
		this.pause.complete(null);
	}

	boolean mayHaveMissedRelease() {
		return this.released;
	}

	void noteRelease() {
		this.released = true;
	}

	/** Forgets releases that the next try will see. */
	void startTry() {
		this.interval = this.released ? FIRST_INTERVAL : this.interval;
		this.released = false;
	}

	/**
	 * Sets the time until the next try.
	 * @param leaseEnds the time until a lease ends, in microseconds
	 */
	void denied(long leaseEnds) {
		long jittered = this.interval - ThreadLocalRandom.current().nextLong(this.interval / 4);
		this.untilTry = Math.max(SHORTEST_INTERVAL, Math.min(jittered, leaseEnds));
		this.interval = Math.min(2 * this.interval, LONGEST_INTERVAL);
	}

	/**
	 * Ends the pause. A call without a thread proceeds on that of the timer: the one that
	 * releases a permit must not run the calls of others.
	 */
	private void endPause() {
		if (this.onThread) {
			this.pause.complete(null);
		}
		else {
			endAfter(1);
		}
	}

	private void endAfter(long micros) {
		this.waiting.endAfter(this.pause, micros);
	}

}

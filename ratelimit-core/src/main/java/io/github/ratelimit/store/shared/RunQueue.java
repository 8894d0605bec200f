package io.github.ratelimit.store.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A queue of requests behind a few runs in flight. The next run takes all queued
 * requests, in the order in which they came. Thread-safe.
 *
 * @param <T> the type of the requests
 */
public abstract class RunQueue<T extends CompletableFuture<?>> {

	private final LongSupplier clock;

	private volatile @Nullable Batch<T> queued;

	private int runsInFlight;

	private int requestsInFlight;

	/** Whether no run is in flight; read without the lock as well. */
	private boolean idle = true;

	private volatile boolean failed;

	/**
	 * Creates an empty queue.
	 * @param clock the time that queued requests are timed by, in nanoseconds from an
	 * arbitrary origin
	 */
	protected RunQueue(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Returns whether another run may start.
	 * @param runs the runs in flight
	 * @param requests the requests that these decide
	 * @param queued the requests that are queued
	 * @return whether it may
	 */
	protected abstract boolean hasRoom(int runs, int requests, int queued);

	/**
	 * Starts a run. No lock is held.
	 * @param batch its requests, of which those that need no run may be removed
	 * @return the requests that it decides: fewer if some need no run any more, and none
	 * if it could not be started and its requests have failed
	 */
	protected abstract int tryStart(Batch<T> batch);

	/**
	 * Called after the last run in flight, unless another follows. No lock is held, so a
	 * run may have started since.
	 */
	protected void becameIdle() {
	}

	/**
	 * Reserves a run for one request, unless others are queued or too many run.
	 * @return whether the run may start, and has to be {@linkplain #runEnded ended}
	 */
	public final boolean tryReserve() {
		return this.queued == null && tryReserveRun();
	}

	private synchronized boolean tryReserveRun() {
		boolean isReserved = this.queued == null && hasRoom(0);
		if (isReserved) {
			count(1, 1);
		}
		return isReserved;
	}

	/**
	 * Queues a request, and starts a run if another may start by now.
	 * @param request the request
	 */
	public final void add(T request) {
		start(queue(request));
	}

	private synchronized @Nullable Batch<T> queue(T request) {
		Batch<T> batch = this.queued;
		if (batch == null) {
			batch = new Batch<>(new ArrayList<>(), this.clock.getAsLong());
			this.queued = batch;
		}
		batch.requests.add(request);
		return tryTake();
	}

	/**
	 * Handles the reply to a batch. If requests are queued, the next run starts before
	 * those of this one are completed, so that the store works meanwhile. Otherwise it
	 * starts after that, for all new requests that follow at once.
	 * @param <R> the type of the reply
	 * @param <V> the type of the result
	 * @param batch the handler of the batch
	 * @param reply the reply
	 * @return the result
	 */
	public final <R, V> V onReply(BatchHandler<R, V> batch, R reply) {
		boolean hasQueued = this.queued != null;
		if (hasQueued) {
			runEnded(batch.requests());
		}
		try {
			return batch.complete(reply);
		}
		finally {
			if (!hasQueued) {
				runEnded(batch.requests());
			}
		}
	}

	/**
	 * Ends a run, and starts the next if requests are queued.
	 * @param requests the requests of the run that has ended
	 */
	public final void runEnded(int requests) {
		start(release(1, requests));
		if (this.idle) {
			becameIdle();
		}
	}

	/** Starts a reserved run, or the next one if it cannot be started. */
	private void start(@Nullable Batch<T> reserved) {
		Batch<T> batch = reserved;
		while (batch != null) {
			int size = batch.requests.size();
			int started = tryStart(batch);
			batch = (started < size) ? release((started == 0) ? 1 : 0, size - started) : null;
		}
	}

	private synchronized @Nullable Batch<T> release(int runs, int requests) {
		count(-runs, -requests);
		return tryTake();
	}

	/** Reserves a run for the queued requests, if there are any and it may start. */
	private @Nullable Batch<T> tryTake() {
		Batch<T> batch = this.queued;
		if (batch == null || !hasRoom(batch.requests.size())) {
			return null;
		}
		this.queued = null;
		count(1, batch.requests.size());
		return batch;
	}

	private boolean hasRoom(int queued) {
		return this.failed || hasRoom(this.runsInFlight, this.requestsInFlight, queued);
	}

	private void count(int runs, int requests) {
		this.runsInFlight += runs;
		this.requestsInFlight += requests;
		this.idle = this.runsInFlight == 0;
	}

	/**
	 * Fails the queued requests. From then on, no request queues behind others.
	 * @param failure what they fail with
	 */
	public final void fail(RuntimeException failure) {
		Batch<T> batch = end();
		if (batch != null) {
			batch.requests.forEach((request) -> request.completeExceptionally(failure));
		}
	}

	private synchronized @Nullable Batch<T> end() {
		Batch<T> batch = this.queued;
		this.queued = null;
		this.failed = true;
		return batch;
	}

	/**
	 * Returns whether the queue has been failed.
	 * @return whether no request queues any more
	 */
	public final boolean isFailed() {
		return this.failed;
	}

	/**
	 * Requests that one run decides.
	 *
	 * @param <T> the type of the requests
	 * @param requests the requests, in the order in which they came
	 * @param since when the first of them came, by the clock of the queue
	 */
	public record Batch<T>(List<T> requests, long since) {

	}

	/**
	 * A handler of the reply to a batch.
	 *
	 * @param <R> the type of the reply
	 * @param <V> the type of the result
	 */
	public interface BatchHandler<R, V> extends ReplyHandler<R, V> {

		/**
		 * Returns the number of requests.
		 * @return at least 1
		 */
		int requests();

		/**
		 * Completes every request.
		 * @param reply the reply
		 * @return the result
		 */
		V complete(R reply);

	}

}

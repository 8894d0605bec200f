package io.github.ratelimit.store.shared;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A run that is in flight, and its result. Its handler is notified of the first outcome:
 * a reply, a failure or the timeout. Thread-safe.
 *
 * @param <R> the type of the reply
 * @param <T> the type of the result
 */
public abstract class PendingRun<R, T> extends CompletableFuture<T> {

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<PendingRun> ENDED = AtomicIntegerFieldUpdater
		.newUpdater(PendingRun.class, "ended");

	private final ReplyHandler<R, T> handler;

	private final long waited;

	private long deadline;

	private volatile int ended;

	/**
	 * Creates a run.
	 * @param handler the handler of its outcome
	 * @param waited for how long the first of its requests was queued, in nanoseconds
	 */
	protected PendingRun(ReplyHandler<R, T> handler, long waited) {
		this.handler = handler;
		this.waited = waited;
	}

	/** Returns the time that the first of its requests was queued, in nanoseconds. */
	final long waited() {
		return this.waited;
	}

	/** Returns when it times out, by the time of {@link RunTimeouts}. */
	final long deadline() {
		return this.deadline;
	}

	/** Sets when it times out, before another thread sees this run. */
	final void setDeadline(long deadline) {
		this.deadline = deadline;
	}

	/**
	 * Returns whether the handler was notified, even if the result is awaited no more.
	 * @return whether this run has ended
	 */
	public final boolean isEnded() {
		return this.ended != 0;
	}

	/**
	 * Ends this run with a failure, unless it has ended.
	 * @param failure the failure
	 */
	public final void fail(Throwable failure) {
		if (ENDED.compareAndSet(this, 0, 1)) {
			try {
				completeExceptionally(this.handler.onFailure(failure));
			}
			catch (RuntimeException | Error ex) {
				completeExceptionally(ex);
			}
		}
	}

	/**
	 * Ends this run with a reply, or reports that it is late.
	 * @param reply the reply
	 */
	public final void read(R reply) {
		if (ENDED.compareAndSet(this, 0, 1)) {
			try {
				complete(this.handler.onReply(reply));
			}
			catch (RuntimeException | Error ex) {
				completeExceptionally(ex);
			}
		}
		else {
			this.handler.onLateReply();
		}
	}

}

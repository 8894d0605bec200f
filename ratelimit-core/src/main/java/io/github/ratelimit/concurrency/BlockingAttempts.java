package io.github.ratelimit.concurrency;

import java.util.concurrent.ExecutionException;
import java.util.function.Function;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of a call that blocks its thread while it waits for permits.
 *
 * @param <T> the result of an attempt
 */
public final class BlockingAttempts<T> {

	private final PermitWait wait;

	private final Attempts<T> attempts;

	private final Function<T, Decision> decisionOf;

	/**
	 * Creates the attempts of a call.
	 * @param wait the wait of the call
	 * @param attempts executes an attempt
	 * @param decisionOf returns the decision of a result
	 */
	public BlockingAttempts(PermitWait wait, Attempts<T> attempts, Function<T, Decision> decisionOf) {
		this.wait = wait;
		this.attempts = attempts;
		this.decisionOf = decisionOf;
	}

	/**
	 * Acquires permits.
	 * @return the result of the last attempt
	 * @throws CancelledWaitException if the thread is interrupted while it waits, or the
	 * queues are closed
	 */
	public T acquire() {
		PermitRequest contested = this.wait.contested();
		if (contested != null) {
			return this.wait.tryQueueFor(contested) ? acquireInOrder() : this.attempts.execute(StoreOperation.PEEK, 0);
		}
		long releases = this.wait.releases();
		T first = this.attempts.execute(StoreOperation.ACQUIRE, 0);
		return this.wait.tryStay(this.decisionOf.apply(first), releases) ? acquireInOrder() : first;
	}

	private T acquireInOrder() {
		try {
			T result = null;
			while (result == null) {
				await();
				StoreOperation operation = this.wait.nextTry();
				result = (operation != null) ? tried(operation) : null;
			}
			return result;
		}
		finally {
			this.wait.leave();
		}
	}

	/** Returns the result of an attempt, or {@code null} if the call waits on. */
	private @Nullable T tried(StoreOperation operation) {
		long releases = this.wait.releases();
		T result = this.attempts.execute(operation, this.wait.waitedMicros());
		Decision decision = this.decisionOf.apply(result);
		this.wait.tried(decision);
		boolean isLast = operation == StoreOperation.PEEK;
		return (!isLast && this.wait.tryStay(decision, releases)) ? null : result;
	}

	private void await() {
		try {
			this.wait.startPause().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CancelledWaitException("Interrupted while waiting for permits");
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

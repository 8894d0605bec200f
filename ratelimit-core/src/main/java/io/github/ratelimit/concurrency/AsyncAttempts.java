package io.github.ratelimit.concurrency;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;

/**
 * The attempts of a call that waits for permits without a thread.
 *
 * @param <T> the result of an attempt
 */
public final class AsyncAttempts<T> {

	private final PermitWait wait;

	private final Attempts<CompletableFuture<T>> attempts;

	private final Function<T, Decision> decisionOf;

	private final CompletableFuture<T> last = new CompletableFuture<>();

	/**
	 * Creates the attempts of a call.
	 * @param wait the wait of the call
	 * @param attempts executes an attempt
	 * @param decisionOf returns the decision of a result
	 */
	public AsyncAttempts(PermitWait wait, Attempts<CompletableFuture<T>> attempts, Function<T, Decision> decisionOf) {
		this.wait = wait;
		this.attempts = attempts;
		this.decisionOf = decisionOf;
	}

	/**
	 * Acquires permits.
	 * @param caller ends the wait when it is cancelled
	 * @return the result of the last attempt, or a {@link CancellationException} if the
	 * call was cancelled while it waited, or the queues are closed
	 */
	public CompletableFuture<T> acquire(CompletableFuture<?> caller) {
		PermitRequest contested = this.wait.contested();
		if (contested != null) {
			return this.wait.tryQueueFor(contested) ? acquireInOrder(caller)
					: this.attempts.execute(StoreOperation.PEEK, 0);
		}
		long releases = this.wait.releases();
		CompletableFuture<T> first = this.attempts.execute(StoreOperation.ACQUIRE, 0);
		return first.thenCompose((result) -> tryStay(caller, result, releases) ? acquireInOrder(caller) : first);
	}

	private boolean tryStay(CompletableFuture<?> caller, T result, long releases) {
		return !caller.isDone() && this.wait.tryStay(this.decisionOf.apply(result), releases);
	}

	private CompletableFuture<T> acquireInOrder(CompletableFuture<?> caller) {
		CompletableFuture<?> unused = caller.whenComplete((nothing, failure) -> this.wait.stop());
		pause(caller);
		return this.last;
	}

	private void pause(CompletableFuture<?> caller) {
		CompletableFuture<?> unused = this.wait.startPause().thenRun(() -> tryNext(caller));
		if (caller.isDone()) {
			this.wait.stop(); // as it may have been cancelled before this pause began
		}
	}

	private void tryNext(CompletableFuture<?> caller) {
		try {
			if (caller.isDone()) {
				throw new CancellationException();
			}
			StoreOperation operation = this.wait.nextTry();
			if (operation == null) {
				pause(caller);
			}
			else {
				execute(operation, caller);
			}
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	private void execute(StoreOperation operation, CompletableFuture<?> caller) {
		long releases = this.wait.releases();
		CompletableFuture<?> unused = this.attempts.execute(operation, this.wait.waitedMicros())
			.thenAccept((result) -> tried(operation, caller, result, releases))
			.whenComplete((nothing, failure) -> {
				if (failure != null) {
					fail(failure);
				}
			});
	}

	private void tried(StoreOperation operation, CompletableFuture<?> caller, T result, long releases) {
		this.wait.tried(this.decisionOf.apply(result));
		if (operation == StoreOperation.ACQUIRE && tryStay(caller, result, releases)) {
			pause(caller);
		}
		else {
			this.wait.leave();
			this.last.complete(result);
		}
	}

	private void fail(Throwable failure) {
		this.wait.leave();
		this.last.completeExceptionally(failure);
	}

}

package io.github.ratelimit;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The future answer to a call that does not block. Cancelling it refunds what the call
 * was charged, also where the store has yet to decide.
 */
final class PendingCall<T> extends CompletableFuture<T> {

	private final Function<Hold, T> view;

	private final Turns turns;

	private final Consumer<Hold> refund;

	/**
	 * A call that the store has yet to decide.
	 * @param view the part of a decided call that is its answer
	 * @param turns to wait for
	 * @param refund gives back what a cancelled call was charged
	 */
	PendingCall(Function<Hold, T> view, Turns turns, Consumer<Hold> refund) {
		this.view = view;
		this.turns = turns;
		this.refund = refund;
	}

	/** Ends as the store's decision says, once it is the call's turn. */
	void decide(Supplier<Hold> decided) {
		try {
			Hold hold = decided.get();
			if (hold.decision().waitMicros() > 0 && !isDone()) {
				await(hold);
			}
			else {
				end(hold);
			}
		}
		catch (RuntimeException ex) {
			completeExceptionally(ex);
		}
	}

	private void await(Hold hold) {
		CompletableFuture<Void> turn = this.turns.awaitAsync(hold.decision());
		CompletableFuture<?> unusedEnd = turn.thenRun(() -> end(hold));
		CompletableFuture<?> unused = whenComplete((answer, failure) -> {
			if (failure != null) {
				turn.cancel(false);
				this.refund.accept(hold);
			}
		});
	}

	private void end(Hold hold) {
		if (!complete(this.view.apply(hold))) {
			this.refund.accept(hold);
		}
	}

}

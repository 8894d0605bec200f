package io.github.ratelimit;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The pending result of a call that does not block. Cancelling it refunds the call's
 * charge, even if the store has yet to decide.
 */
final class PendingReservation<T> extends CompletableFuture<T> {

	private final Function<Reservation, T> view;

	private final QueuedTurns turns;

	private final Consumer<Reservation> refund;

	private final boolean releasable;

	/**
	 * Creates a result that the store has yet to decide.
	 * @param view extracts the result from a reservation
	 * @param turns the turns to wait for
	 * @param refund refunds the charge of a cancelled call
	 * @param releasable whether the caller can release permits that the call would hold
	 */
	PendingReservation(Function<Reservation, T> view, QueuedTurns turns, Consumer<Reservation> refund,
			boolean releasable) {
		this.view = view;
		this.turns = turns;
		this.refund = refund;
		this.releasable = releasable;
	}

	/** Returns the turns, in which the call waits without a thread. */
	QueuedTurns turns() {
		return this.turns;
	}

	boolean isReleasable() {
		return this.releasable;
	}

	/** Completes with the decision on the call, at its turn. */
	void decided(Reservation reservation) {
		if (reservation.decision().waitMicros() > 0 && !isDone()) {
			await(reservation);
		}
		else {
			end(reservation);
		}
	}

	private void await(Reservation reservation) {
		CompletableFuture<Void> turn = this.turns.awaitAsync(reservation.decision());
		CompletableFuture<?> unusedEnd = turn.thenRun(() -> end(reservation));
		CompletableFuture<?> unused = whenComplete((result, failure) -> {
			if (failure != null) {
				turn.cancel(false);
				this.refund.accept(reservation);
			}
		});
	}

	private void end(Reservation reservation) {
		if (!complete(this.view.apply(reservation))) {
			this.refund.accept(reservation);
		}
	}

}

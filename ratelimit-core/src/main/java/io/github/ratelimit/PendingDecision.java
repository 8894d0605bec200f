package io.github.ratelimit;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.ratelimit.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The pending decision of a call that neither waits nor holds permits, the usual one. It
 * receives the decision of the store itself, as a callback for each call would be
 * garbage. Cancelling it refunds the call's charge, even if the store has yet to decide.
 */
final class PendingDecision extends CompletableFuture<Decision>
		implements BiConsumer<@Nullable Decision, @Nullable Throwable> {

	private final ResolvedCharges resolved;

	private final CompositeListener.Call call;

	private final Acquisition acquisition;

	private final StoreFallback fallback;

	private final Consumer<Reservation> refund;

	/**
	 * Creates a decision that the store has yet to make.
	 * @param refund refunds the charge of a cancelled call
	 */
	PendingDecision(ResolvedCharges resolved, CompositeListener.Call call, Acquisition acquisition,
			StoreFallback fallback, Consumer<Reservation> refund) {
		this.resolved = resolved;
		this.call = call;
		this.acquisition = acquisition;
		this.fallback = fallback;
		this.refund = refund;
	}

	/** Receives the decision or the failure of the store. */
	@Override
	public void accept(@Nullable Decision decision, @Nullable Throwable failure) {
		try {
			if (decision == null) {
				end(this.fallback.complete(this.resolved, failure, this.call));
				return;
			}
			this.call.decided(decision);
			if (!complete(decision)) {
				this.refund.accept(this.acquisition.reservation(this.resolved, decision));
			}
		}
		catch (RuntimeException | Error ex) {
			completeExceptionally(ex);
		}
	}

	private void end(Reservation local) {
		if (!complete(local.decision())) {
			this.refund.accept(local);
		}
	}

}

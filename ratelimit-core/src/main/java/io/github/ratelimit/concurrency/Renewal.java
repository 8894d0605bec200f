package io.github.ratelimit.concurrency;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A renewal of permits of one count that were charged at the same time, which a store
 * does not distinguish.
 *
 * @param request the request for all of them
 * @param calls the permits of each call
 */
record Renewal(PermitRequest request, List<HeldPermits> calls) {

	/** Returns the renewal of a call's permits, or {@code null} if it is not due. */
	static @Nullable Renewal of(HeldPermits permits, long dueBefore) {
		PermitRequest request = permits.tryRenew(dueBefore);
		return (request != null) ? new Renewal(request, List.of(permits)) : null;
	}

	/** Returns what renewals that can be one have in common. */
	Object count() {
		return List.of(store(), this.request.policyLimit(), this.request.key(), this.request.chargedAtMicros());
	}

	/** Returns the renewal of the permits of both. */
	Renewal and(Renewal other) {
		return new Renewal(this.request.costing(this.request.cost() + other.request.cost()),
				Stream.concat(this.calls.stream(), other.calls.stream()).toList());
	}

	String policy() {
		return this.request.policy();
	}

	/** Executes the renewal, and returns the number of calls that lost permits. */
	CompletableFuture<Integer> execute(long now) {
		CompletableFuture<Decision> renewed = start();
		return renewed.handle((decision, failure) -> {
			if (failure != null) {
				release(this.calls.stream().map(HeldPermits::renewalEnded));
				throw new IllegalStateException(failure);
			}
			return ended(decision, now);
		});
	}

	private CompletableFuture<Decision> start() {
		try {
			return store().executeAsync(StoreRequest.of(StoreOperation.RENEW, this.request)).toCompletableFuture();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Loses the permits of as many calls as the store has lost. */
	private int ended(Decision decision, long now) {
		long lost = Stream.concat(decision.limits().stream(), decision.shadows().stream())
			.mapToLong((limit) -> limit.retryAfterMicros())
			.sum();
		int goingOn = 0;
		int renewed = this.calls.size();
		for (; lost > 0 && renewed > 0; renewed--) {
			HeldPermits call = this.calls.get(renewed - 1);
			lost -= call.permit().cost();
			goingOn += call.lost() ? 1 : 0;
		}
		release(this.calls.subList(0, renewed).stream().map((call) -> call.renewed(decision.storeTimeMicros(), now)));
		return goingOn;
	}

	/** Gives back the permits of calls that ended meanwhile. */
	private void release(Stream<@Nullable PermitRequest> refunds) {
		refunds.filter(Objects::nonNull)
			.reduce((one, other) -> one.costing(one.cost() + other.cost()))
			.ifPresent((refund) -> store().executeAsync(StoreRequest.of(StoreOperation.REFUND, refund)));
	}

	private RateLimitStore store() {
		return this.calls.get(0).store();
	}

}

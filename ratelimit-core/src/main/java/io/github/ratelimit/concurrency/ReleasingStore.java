package io.github.ratelimit.concurrency;

import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/**
 * A store that reports released permits to the queues of this instance. Only reservations
 * that hold permits use it. Thread-safe.
 */
public final class ReleasingStore implements RateLimitStore {

	private final RateLimitStore store;

	private final PermitQueues queues;

	/**
	 * Creates a store.
	 * @param store executes all requests
	 * @param queues the calls that wait for permits
	 */
	public ReleasingStore(RateLimitStore store, PermitQueues queues) {
		this.store = store;
		this.queues = queues;
	}

	@Override
	public Decision execute(StoreRequest request) {
		try {
			return this.store.execute(request);
		}
		finally {
			executed(request);
		}
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return this.store.executeAsync(request).whenComplete((decision, failure) -> executed(request));
	}

	/** Reports refunds that failed too, as the store may have executed them. */
	private void executed(StoreRequest request) {
		if (request.operation() == StoreOperation.REFUND) {
			this.queues.released(request);
		}
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public String description() {
		return this.store.description();
	}

	@Override
	public DetachedReservations detachedReservations() {
		return this.store.detachedReservations();
	}

	@Override
	public void forget(Predicate<PermitRequest> counts) {
		this.store.forget(counts);
	}

	@Override
	public long unreadable() {
		return this.store.unreadable();
	}

	@Override
	public BreakerState breakerState() {
		return this.store.breakerState();
	}

}

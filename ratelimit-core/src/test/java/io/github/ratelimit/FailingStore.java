package io.github.ratelimit;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;

/**
 * A store that fails while a test wants it to, with its detached reservations.
 */
final class FailingStore implements RateLimitStore {

	private final RateLimitStore store;

	/** Whether it fails. */
	volatile boolean failing;

	FailingStore(RateLimitStore store) {
		this.store = store;
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public Decision execute(StoreRequest request) {
		if (this.failing) {
			throw failure();
		}
		return this.store.execute(request);
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return this.failing ? CompletableFuture.failedFuture(failure()) : this.store.executeAsync(request);
	}

	@Override
	public DetachedReservations detachedReservations() {
		return this.failing ? new FailingReservations() : this.store.detachedReservations();
	}

	private static RateLimitStoreException failure() {
		return new RateLimitStoreException("failing", null);
	}

	/** The detached reservations during a failure. */
	private static final class FailingReservations implements DetachedReservations {

		@Override
		public CompletionStage<byte[]> keep(DetachedCharge charge, long lifeMicros, boolean refundUnsettled) {
			return CompletableFuture.failedFuture(failure());
		}

		@Override
		public CompletionStage<Settlement> settle(byte[] place, Function<DetachedCharge, StoreRequest> correction) {
			return CompletableFuture.failedFuture(failure());
		}

		@Override
		public CompletionStage<OptionalLong> refundDue(Consumer<DetachedCharge> refunded) {
			return CompletableFuture.failedFuture(failure());
		}

	}

}

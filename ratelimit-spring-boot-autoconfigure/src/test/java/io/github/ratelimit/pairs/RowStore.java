package io.github.ratelimit.pairs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;

/**
 * A store that fails while a test wants it to.
 */
final class RowStore implements RateLimitStore {

	private final RateLimitStore counts;

	private volatile boolean failing;

	RowStore(RateLimitStore counts) {
		this.counts = counts;
	}

	/** Begins or ends the failure. */
	void fail(boolean failing) {
		this.failing = failing;
	}

	@Override
	public String name() {
		return this.counts.name();
	}

	@Override
	public Decision execute(StoreRequest request) {
		if (this.failing) {
			throw new RateLimitStoreException("fails in this row", null);
		}
		return this.counts.execute(request);
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return this.failing ? CompletableFuture.failedFuture(new RateLimitStoreException("fails in this row", null))
				: this.counts.executeAsync(request);
	}

}

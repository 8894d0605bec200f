package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;

/**
 * A store that fails while a test wants it to.
 */
final class BreakableStore implements RateLimitStore {

	boolean broken;

	private final RateLimitStore store;

	BreakableStore(LongSupplier clock) {
		this.store = new MemoryRateLimitStore(1000, clock);
	}

	@Override
	public String name() {
		return "breakable";
	}

	@Override
	public Decision execute(Operation operation, List<Debit> debits) {
		if (this.broken) {
			throw failure();
		}
		return this.store.execute(operation, debits);
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		return this.broken ? CompletableFuture.failedFuture(failure()) : this.store.executeAsync(operation, debits);
	}

	private static RateLimitStoreException failure() {
		return new RateLimitStoreException("broken", null);
	}

}

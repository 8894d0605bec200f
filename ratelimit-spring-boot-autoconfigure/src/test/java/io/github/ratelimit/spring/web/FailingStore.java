package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;

/**
 * A store that never decides, and says more of it than callers should hear.
 */
final class FailingStore implements RateLimitStore {

	@Override
	public String name() {
		return "failing";
	}

	@Override
	public Decision execute(Operation operation, List<Debit> debits) {
		throw failure();
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		return CompletableFuture.failedFuture(failure());
	}

	private static RateLimitStoreException failure() {
		return new RateLimitStoreException("failed", new IllegalStateException("secret"));
	}

}

package io.github.ratelimit.spring.web;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;

/**
 * A store that never decides, and says more of it than callers should hear.
 */
final class FailingStore implements RateLimitStore {

	@Override
	public String name() {
		return "failing";
	}

	@Override
	public Decision execute(StoreRequest request) {
		throw failure();
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return CompletableFuture.failedFuture(failure());
	}

	private static RateLimitStoreException failure() {
		return new RateLimitStoreException("failed", new IllegalStateException("secret"));
	}

}

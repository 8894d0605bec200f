package io.github.ratelimit.spring.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/** A store that runs a task during each decision. */
final class EventfulStore implements RateLimitStore {

	Runnable meanwhile = () -> {
	};

	private final MemoryRateLimitStore store;

	EventfulStore(MemoryRateLimitStore store) {
		this.store = store;
	}

	@Override
	public String name() {
		return "eventful";
	}

	@Override
	public Decision execute(StoreRequest request) {
		this.meanwhile.run();
		return this.store.execute(request);
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return CompletableFuture.completedFuture(execute(request));
	}

}

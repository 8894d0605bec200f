package io.github.ratelimit.spring.web;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A store that decides some time later, on a thread of its own.
 */
final class DistantStore implements RateLimitStore {

	static final String THREAD = "distant-store";

	private volatile MemoryRateLimitStore store = new MemoryRateLimitStore(1000);

	private final Executor later = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS,
			(task) -> new Thread(task, THREAD).start());

	/** Forgets all that was charged. */
	void clear() {
		this.store = new MemoryRateLimitStore(1000);
	}

	@Override
	public String name() {
		return "distant";
	}

	@Override
	public Decision execute(StoreRequest request) {
		return this.store.execute(request);
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return CompletableFuture.supplyAsync(() -> this.store.execute(request), this.later);
	}

}

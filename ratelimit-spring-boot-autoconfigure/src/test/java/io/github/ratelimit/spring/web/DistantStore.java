package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;

/**
 * A store that answers some time later, on a thread of its own.
 */
final class DistantStore implements RateLimitStore {

	static final String THREAD = "distant-store";

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000);

	private final Executor later = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS,
			(task) -> new Thread(task, THREAD).start());

	@Override
	public String name() {
		return "distant";
	}

	@Override
	public Decision execute(Operation operation, List<Debit> debits) {
		return this.store.execute(operation, debits);
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		return CompletableFuture.supplyAsync(() -> this.store.execute(operation, debits), this.later);
	}

}

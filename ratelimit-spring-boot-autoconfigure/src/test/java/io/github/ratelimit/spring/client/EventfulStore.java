package io.github.ratelimit.spring.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;

/**
 * A store during whose decisions something else happens.
 */
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
	public Decision execute(Operation operation, List<Debit> debits) {
		this.meanwhile.run();
		return this.store.execute(operation, debits);
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		return CompletableFuture.completedFuture(execute(operation, debits));
	}

}

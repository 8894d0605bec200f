package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;

/**
 * A memory store that remembers what it was asked, and fails for some callers. What it
 * remembers is static, as the application may run in a container of its own.
 */
final class RecordingStore implements RateLimitStore {

	static final String BROKEN = "broken";

	private static final Queue<List<Debit>> ASKED = new ConcurrentLinkedQueue<>();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100_000);

	/** The policies of each decision on a caller. */
	static List<List<String>> decisionsOn(String client) {
		return ASKED.stream()
			.filter((debits) -> debits.stream().anyMatch((debit) -> debit.key().endsWith(":" + client)))
			.map((debits) -> debits.stream().map((debit) -> debit.clause().policy()).toList())
			.toList();
	}

	@Override
	public String name() {
		return "recording";
	}

	@Override
	public Decision execute(Operation operation, List<Debit> debits) {
		if (debits.stream().anyMatch((debit) -> debit.key().contains(BROKEN))) {
			throw new RateLimitStoreException("failed", new IllegalStateException("secret"));
		}
		ASKED.add(debits);
		return this.store.execute(operation, debits);
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		try {
			return CompletableFuture.completedFuture(execute(operation, debits));
		}
		catch (RateLimitStoreException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}

package io.github.ratelimit.gateway;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A memory store that records its requests, and fails for the client {@code broken}. Its
 * answers come late, as those of a Redis.
 */
public final class CountedStore implements RateLimitStore {

	/** The client for whom the store fails. */
	static final String BROKEN = "broken";

	private final Queue<List<PermitRequest>> requests = new ConcurrentLinkedQueue<>();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100_000);

	/** Returns the policies of each decision on a client. */
	List<List<String>> decisionsOn(String client) {
		return this.requests.stream()
			.filter((permits) -> permits.stream().anyMatch((permit) -> permit.key().endsWith(":" + client)))
			.map((permits) -> permits.stream().map((permit) -> permit.policyLimit().policy()).toList())
			.toList();
	}

	@Override
	public String name() {
		return "counted";
	}

	@Override
	public Decision execute(StoreRequest request) {
		if (request.permits().stream().anyMatch((permit) -> permit.key().contains(BROKEN))) {
			throw new RateLimitStoreException("failed", new IllegalStateException("secret"));
		}
		this.requests.add(request.permits());
		return this.store.execute(request);
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return CompletableFuture.supplyAsync(() -> execute(request));
	}

}

package io.github.ratelimit.spring.web;

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
 * A memory store that records its requests, and fails for some callers. The record is
 * static, as the application may run in a container of its own.
 */
final class RecordingStore implements RateLimitStore {

	static final String BROKEN = "broken";

	private static final Queue<List<PermitRequest>> REQUESTS = new ConcurrentLinkedQueue<>();

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(100_000);

	/** The policies of each decision on a caller. */
	static List<List<String>> decisionsOn(String client) {
		return REQUESTS.stream()
			.filter((permits) -> permits.stream().anyMatch((permit) -> permit.key().endsWith(":" + client)))
			.map((permits) -> permits.stream().map((permit) -> permit.policyLimit().policy()).toList())
			.toList();
	}

	@Override
	public String name() {
		return "recording";
	}

	@Override
	public Decision execute(StoreRequest request) {
		if (request.permits().stream().anyMatch((permit) -> permit.key().contains(BROKEN))) {
			throw new RateLimitStoreException("failed", new IllegalStateException("secret"));
		}
		REQUESTS.add(request.permits());
		return this.store.execute(request);
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		try {
			return CompletableFuture.completedFuture(execute(request));
		}
		catch (RateLimitStoreException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}

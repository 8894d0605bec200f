package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A memory store that records requests, and fails or delays them on demand.
 */
public final class TestStore implements RateLimitStore {

	private final RateLimitStore store;

	private final List<StoreRequest> requests = Collections.synchronizedList(new ArrayList<>());

	private final List<Runnable> delayed = new ArrayList<>();

	private boolean failing;

	private boolean delaying;

	private Runnable afterDecision = () -> {
	};

	/**
	 * Creates a store.
	 * @param clock microseconds since 1970
	 */
	public TestStore(LongSupplier clock) {
		this.store = new MemoryRateLimitStore(1000, clock);
	}

	/**
	 * Fails all requests until {@link #recover()}.
	 * @return this store
	 */
	public TestStore fail() {
		this.failing = true;
		return this;
	}

	/** Ends the failure. */
	public void recover() {
		this.failing = false;
	}

	/**
	 * Delays asynchronous requests until {@link #complete()}.
	 * @return this store
	 */
	public TestStore delay() {
		this.delaying = true;
		return this;
	}

	/** Decides the requests delayed so far. */
	public void complete() {
		List<Runnable> now = List.copyOf(this.delayed);
		this.delayed.clear();
		now.forEach(Runnable::run);
	}

	/**
	 * Returns the number of delayed requests.
	 * @return at least 0
	 */
	public int delayed() {
		return this.delayed.size();
	}

	/**
	 * Runs an action once, between the next decision of a blocking request and its
	 * return.
	 * @param action the action
	 */
	public void afterNextDecision(Runnable action) {
		this.afterDecision = action;
	}

	/**
	 * Returns all requests so far.
	 * @return a snapshot, in order
	 */
	public List<StoreRequest> requests() {
		return List.copyOf(this.requests);
	}

	/**
	 * Returns the requests of an operation.
	 * @param operation the operation
	 * @return a snapshot, in order
	 */
	public List<StoreRequest> requests(StoreOperation operation) {
		return requests().stream().filter((request) -> request.operation() == operation).toList();
	}

	@Override
	public String name() {
		return "test";
	}

	@Override
	public Decision execute(StoreRequest request) {
		this.requests.add(request);
		if (this.failing) {
			throw failure();
		}
		Decision decision = this.store.execute(request);
		Runnable action = this.afterDecision;
		this.afterDecision = () -> {
		};
		action.run();
		return decision;
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		this.requests.add(request);
		if (this.failing) {
			return CompletableFuture.failedFuture(failure());
		}
		if (!this.delaying) {
			return this.store.executeAsync(request);
		}
		CompletableFuture<Decision> decision = new CompletableFuture<>();
		this.delayed.add(() -> decision.complete(this.store.execute(request)));
		return decision;
	}

	private static RateLimitStoreException failure() {
		return new RateLimitStoreException("failing", null);
	}

}

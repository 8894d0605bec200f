package io.github.ratelimit.spring.ai;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;

/** A store that adds up what policies are charged, less what they are refunded. */
final class CountingStore implements RateLimitStore {

	private final RateLimitStore delegate;

	private final Map<String, Long> charged = new ConcurrentHashMap<>();

	private final Map<String, Long> added = new ConcurrentHashMap<>();

	CountingStore(RateLimitStore delegate) {
		this.delegate = delegate;
	}

	long charged(String policy) {
		return this.charged.getOrDefault(policy, 0L);
	}

	/** Permits that were charged after the decision. */
	long added(String policy) {
		return this.added.getOrDefault(policy, 0L);
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public Decision execute(StoreRequest request) {
		return counted(request, this.delegate.execute(request));
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return this.delegate.executeAsync(request).thenApply((decision) -> counted(request, decision));
	}

	private Decision counted(StoreRequest request, Decision decision) {
		for (PermitRequest permit : request.permits()) {
			long permits = switch (request.operation()) {
				case ACQUIRE -> decision.allowed() ? permit.cost() : 0;
				case CHARGE -> permit.cost();
				case REFUND -> -permit.cost();
				default -> 0;
			};
			if (request.operation() == StoreOperation.CHARGE) {
				this.added.merge(permit.policy(), permits, Long::sum);
			}
			this.charged.merge(permit.policy(), permits, Long::sum);
		}
		return decision;
	}

}

package io.github.ratelimit.store.shared;

import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * The caches that decide requests without a round trip to the store. Thread-safe.
 *
 * @param denials the cached denials
 * @param prefetches the prefetched permits
 */
public record Shortcuts(DenialCache denials, PrefetchCache prefetches) {

	/**
	 * Decides by prefetched permits or a cached denial.
	 * @param request the request, of any operation
	 * @return the decision, or {@code null} without these
	 */
	public @Nullable Decision tryDecide(StoreRequest request) {
		if (request.operation() == StoreOperation.ACQUIRE) {
			Decision spent = this.prefetches.trySpend(request);
			return (spent != null) ? spent : this.denials.get(request);
		}
		if (request.operation() == StoreOperation.RESET) {
			this.prefetches.evict(request);
		}
		return null;
	}

	/**
	 * Remembers the decision of the store on an acquisition, unless prefetched permits
	 * are refunded that make room for it.
	 * @param request the request
	 * @param decision the decision
	 * @param handler the handler of its run
	 */
	void learn(StoreRequest request, Decision decision, DenialCache.LearningHandler<?, ?> handler) {
		if (decision.allowed() || !this.prefetches.tryMakeRoom(request, decision)) {
			handler.learn(request, decision);
		}
	}

	/**
	 * Forgets prefetched permits and denials of counts that another instance has dropped.
	 * @param counts matches their permits, whatever the cost
	 */
	public void forget(Predicate<PermitRequest> counts) {
		this.prefetches.evict(counts);
		this.denials.evict(counts);
	}

}

package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;

/**
 * Keeps the counts and decides on them. A decision is atomic: either every limit of every
 * debit has room and all are charged, or nothing changes. Implementations are
 * thread-safe.
 */
public interface RateLimitStore {

	/**
	 * The name of this kind of store, as metrics show it.
	 * @return a short lower case word
	 */
	String name();

	/**
	 * Decides on the caller's thread.
	 * @param debits at least one, no two for the same policy and key
	 * @return the decision
	 * @throws RateLimitStoreException if no decision could be had; the debits may or may
	 * not have been charged, once at most
	 */
	Decision acquire(List<Debit> debits);

	/**
	 * Decides without blocking the caller.
	 * @param debits at least one, no two for the same policy and key
	 * @return the decision, or a {@link RateLimitStoreException} as for {@link #acquire};
	 * it may complete on a thread of the store that must not be blocked
	 */
	CompletionStage<Decision> acquireAsync(List<Debit> debits);

	/**
	 * Whether this store is asked for decisions at present.
	 * @return the state of its breaker; a store that has none is always asked
	 */
	default BreakerState breakerState() {
		return BreakerState.CLOSED;
	}

}

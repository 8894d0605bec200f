package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.algorithm.Decision;

/**
 * Keeps the counts and decides on them. An operation is atomic: either every debit is
 * carried out, or nothing changes. Implementations are thread-safe.
 */
public interface RateLimitStore {

	/**
	 * The name of this kind of store, as metrics show it.
	 * @return a short lower case word
	 */
	String name();

	/**
	 * How logs and health details name this store.
	 * @return some words for the store and where it is, without credentials
	 */
	default String description() {
		return name();
	}

	/**
	 * Carries out an operation on the caller's thread.
	 * @param operation what to do
	 * @param debits at least one, no two for the same bucket, period, position and key
	 * @return the decision of all debits, {@linkplain Debit#decision put together} in
	 * their order
	 * @throws RateLimitStoreException if no decision could be had; the operation may or
	 * may not have been carried out, once at most
	 */
	Decision execute(Operation operation, List<Debit> debits);

	/**
	 * Carries out an operation without blocking the caller.
	 * @param operation what to do
	 * @param debits at least one, no two for the same bucket, period, position and key
	 * @return the decision, or a {@link RateLimitStoreException} as for {@link #execute};
	 * it may complete on a thread of the store that must not be blocked
	 */
	CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits);

	/**
	 * The values found so far that were no counts, and were overwritten.
	 * @return at least 0; a store that nothing else can write to has none
	 */
	default long unreadable() {
		return 0;
	}

	/**
	 * Whether this store is asked for decisions at present.
	 * @return the state of its breaker; a store that has none is always asked
	 */
	default BreakerState breakerState() {
		return BreakerState.CLOSED;
	}

}

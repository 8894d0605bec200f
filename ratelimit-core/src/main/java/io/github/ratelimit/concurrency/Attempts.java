package io.github.ratelimit.concurrency;

import io.github.ratelimit.store.StoreOperation;

/**
 * The attempts of a call, all of which request the same permits.
 *
 * @param <T> the result of an attempt
 */
@FunctionalInterface
public interface Attempts<T> {

	/**
	 * Executes an attempt.
	 * @param operation to acquire, or to peek if the call is denied in any case, as its
	 * time is over or others come first
	 * @param waitedMicros how long the call has waited, in microseconds
	 * @return the result, which is a denial after a peek
	 */
	T execute(StoreOperation operation, long waitedMicros);

}

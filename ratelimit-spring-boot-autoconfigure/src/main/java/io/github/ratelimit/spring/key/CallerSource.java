package io.github.ratelimit.spring.key;

import io.github.ratelimit.key.Caller;

/**
 * Knows whose request the current thread serves.
 */
@FunctionalInterface
public interface CallerSource {

	/**
	 * The caller of the request that this thread serves.
	 * @return the caller, or {@link Caller#NONE} outside a request
	 */
	Caller current();

}

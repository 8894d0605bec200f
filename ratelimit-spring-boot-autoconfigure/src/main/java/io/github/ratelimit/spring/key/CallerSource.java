package io.github.ratelimit.spring.key;

import io.github.ratelimit.key.Caller;

/**
 * A source of the caller whose request the current thread serves.
 */
@FunctionalInterface
public interface CallerSource {

	/**
	 * Returns the caller of the request that the current thread serves.
	 * @return the caller, or {@link Caller#NONE} outside a request
	 */
	Caller current();

}

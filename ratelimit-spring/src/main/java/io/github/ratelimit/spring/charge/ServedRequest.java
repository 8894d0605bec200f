package io.github.ratelimit.spring.charge;

import io.github.ratelimit.decision.Decision;

/**
 * A request that charges belong to, as its protocol serves it.
 */
@FunctionalInterface
public interface ServedRequest {

	/**
	 * Receives all decisions of the request merged, after each one.
	 * @param decision the decisions
	 */
	void decided(Decision decision);

	/**
	 * Tells a call its result if that comes after the return of its method, as that of a
	 * {@code Callable} does.
	 * @param call a call whose method has returned such a result
	 */
	default void awaitResult(Admission call) {
	}

}

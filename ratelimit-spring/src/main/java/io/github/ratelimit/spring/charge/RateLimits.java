package io.github.ratelimit.spring.charge;

import io.github.ratelimit.decision.Decision;

/**
 * The rate limits of the request that the current thread serves, for code that serves a
 * cheaper response before a limit is used up. Thread-safe.
 */
public final class RateLimits {

	private final RequestSource requests;

	/**
	 * Creates the limits of requests.
	 * @param requests the requests that threads serve
	 */
	public RateLimits(RequestSource requests) {
		this.requests = requests;
	}

	/**
	 * Returns what was decided for the current request so far.
	 * @return all limits of the request, also those in shadow; {@link Decision#UNLIMITED}
	 * if none was decided, or outside a request
	 */
	public Decision current() {
		return of(this.requests.current());
	}

	/**
	 * Returns what was decided for a request so far.
	 * @param request the charges of the request
	 * @return all limits of the request; {@link Decision#UNLIMITED} if none was decided
	 */
	public static Decision of(RequestCharges request) {
		Decision decision = request.decision();
		return (decision != null) ? decision : Decision.UNLIMITED;
	}

}

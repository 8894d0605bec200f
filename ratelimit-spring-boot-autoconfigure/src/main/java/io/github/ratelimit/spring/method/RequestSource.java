package io.github.ratelimit.spring.method;

import io.github.ratelimit.RequestCharges;

/**
 * Knows what the request has been charged that a call serves.
 */
@FunctionalInterface
public interface RequestSource {

	/**
	 * What the request has been charged that this thread serves.
	 * @return the request's charges; outside a request, those of none
	 */
	RequestCharges current();

}

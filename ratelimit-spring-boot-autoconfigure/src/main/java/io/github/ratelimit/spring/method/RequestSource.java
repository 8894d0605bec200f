package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;

import io.github.ratelimit.RequestCharges;

/**
 * Knows what the request has been charged that a call serves.
 */
@FunctionalInterface
public interface RequestSource {

	/**
	 * What the request has been charged that this thread serves.
	 * @param method the limited method that is called
	 * @return the request's charges; outside a request, those of none
	 */
	RequestCharges servedBy(Method method);

}

package io.github.ratelimit.spring.web;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.web.method.HandlerMethod;

/**
 * Handler methods bound to a proxy without the rate limit, for requests that were already
 * decided. All other callers still use the limited bean.
 */
public final class BypassingHandlers {

	private final Map<HandlerMethod, Optional<HandlerMethod>> known = new ConcurrentReferenceHashMap<>();

	private final BiFunction<Object, Method, Optional<Object>> beans;

	/**
	 * Creates handlers.
	 * @param beans returns a bean that replaces another and does not limit a method, or
	 * nothing if the bean is no limiting proxy
	 */
	public BypassingHandlers(BiFunction<Object, Method, Optional<Object>> beans) {
		this.beans = beans;
	}

	/**
	 * Returns the handler that does not limit a method, if there is one.
	 * @param handler the handler whose bean limits the method
	 * @param method the method
	 * @return the handler, or nothing if the bean is no limiting proxy
	 */
	public Optional<HandlerMethod> of(HandlerMethod handler, Method method) {
		return this.known.computeIfAbsent(handler, (unknown) -> this.beans.apply(handler.getBean(), method)
			.map((bean) -> new BypassingHandler(handler, bean)));
	}

	private static final class BypassingHandler extends HandlerMethod {

		BypassingHandler(HandlerMethod handler, Object bean) {
			super(handler, bean, false);
		}

	}

}

package io.github.ratelimit.spring.web;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.web.method.HandlerMethod;

/**
 * Handler methods as they are to be called that have been decided on: on a bean that does
 * not limit them again. Whoever else calls the method calls it on the bean that does.
 */
final class DecidedHandlers {

	private final Map<HandlerMethod, Optional<HandlerMethod>> known = new ConcurrentReferenceHashMap<>();

	private final BiFunction<Object, Method, Optional<Object>> beans;

	/**
	 * Handler methods.
	 * @param beans a bean in the place of one, which does not limit a method; nothing
	 * where there can be none
	 */
	DecidedHandlers(BiFunction<Object, Method, Optional<Object>> beans) {
		this.beans = beans;
	}

	Optional<HandlerMethod> of(HandlerMethod handler, Method method) {
		return this.known.computeIfAbsent(handler, (unknown) -> this.beans.apply(handler.getBean(), method)
			.map((bean) -> new DecidedHandler(handler, bean)));
	}

	private static final class DecidedHandler extends HandlerMethod {

		DecidedHandler(HandlerMethod handler, Object bean) {
			super(handler, bean, false);
		}

	}

}

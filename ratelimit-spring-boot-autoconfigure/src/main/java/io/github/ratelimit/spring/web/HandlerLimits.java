package io.github.ratelimit.spring.web;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

import org.springframework.web.method.HandlerMethod;

/**
 * Knows what limits the methods that serve requests.
 */
@FunctionalInterface
public interface HandlerLimits {

	/**
	 * What limits a handler method.
	 * @param handler a handler method
	 * @return its limits, or {@code null} if it is not limited
	 */
	@Nullable HandlerLimit on(HandlerMethod handler);

	/**
	 * What limits a handler method.
	 *
	 * @param method by which the call is recognized that was decided on
	 * @param charges what a caller's call is charged; {@code null} where that depends on
	 * the call, so that it cannot be decided on before
	 * @param secured whether Spring Security may refuse the call before its limit is
	 * decided, so that rules do not wait for it
	 */
	record HandlerLimit(Method method, @Nullable Function<Caller, List<Charge>> charges, boolean secured) {

	}

}

package io.github.ratelimit.gateway.webmvc;

import io.github.ratelimit.gateway.RateLimitArguments;

import org.springframework.cloud.gateway.server.mvc.common.Configurable;
import org.springframework.cloud.gateway.server.mvc.common.Shortcut;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The filter that is named {@code RateLimit} in properties. All such filters of a route,
 * and the rules that a request matches, are one decision before the route's other
 * filters. {@link RateLimitFilterFunctionFactory} creates filters of routes in Java.
 */
public final class RateLimitFilterFunctions {

	private RateLimitFilterFunctions() {
	}

	/**
	 * Returns a filter with the arguments that properties state.
	 * @param arguments the arguments
	 * @return the filter
	 * @throws IllegalArgumentException if the arguments are incomplete or the cost is
	 * negative
	 */
	@Configurable
	@Shortcut(value = "policies", type = Shortcut.Type.LIST)
	public static HandlerFilterFunction<ServerResponse, ServerResponse> rateLimit(RateLimitArguments arguments) {
		return new RateLimitFilterFunction(arguments.toLimit());
	}

}

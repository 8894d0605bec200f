package io.github.ratelimit.gateway.webmvc;

import java.util.List;

import io.github.ratelimit.gateway.RateLimitArguments;
import io.github.ratelimit.spring.web.RouteLimit;

import org.springframework.cloud.gateway.server.mvc.common.Configurable;
import org.springframework.cloud.gateway.server.mvc.common.Shortcut;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Filters that charge policies for the requests of a route. In properties the filter is
 * named {@code RateLimit}. All such filters of a route in properties, and the rules that
 * a request matches, are one decision before the route's other filters. So are filters of
 * a {@code RouterFunction}. A filter of a {@code RouterFunctions.Builder} decides at its
 * place among the other filters, after the rules.
 */
public final class RateLimitFilterFunctions {

	private RateLimitFilterFunctions() {
	}

	/**
	 * Returns a filter that charges one permit of each policy. An unknown policy ends
	 * requests with an error; in properties it stops the start-up.
	 * @param policies the names of the policies, at least one
	 * @return the filter
	 * @throws IllegalArgumentException if there is no policy
	 */
	@Shortcut(type = Shortcut.Type.LIST)
	public static HandlerFilterFunction<ServerResponse, ServerResponse> rateLimit(String... policies) {
		return rateLimit(1, policies);
	}

	/**
	 * Returns a filter that charges permits of each policy.
	 * @param cost the permits that a request costs, at least 0
	 * @param policies the names of the policies, at least one
	 * @return the filter
	 * @throws IllegalArgumentException if there is no policy or the cost is negative
	 */
	public static HandlerFilterFunction<ServerResponse, ServerResponse> rateLimit(long cost, String... policies) {
		return new RateLimitFilterFunction(new RouteLimit(List.of(policies), cost));
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

package io.github.ratelimit.gateway.webmvc;

import java.util.List;

import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.web.RouteLimit;

import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A factory of filters that charge policies for the requests of a route in Java. Filters
 * of a {@code RouterFunction}, and the rules that a request matches, are one decision. A
 * filter of a {@code RouterFunctions.Builder} decides at its place among the other
 * filters, after the rules. Thread-safe.
 */
public final class RateLimitFilterFunctionFactory {

	private final RoutePolicies policies;

	/**
	 * Creates a factory.
	 * @param policies receives the policies that filters charge
	 */
	public RateLimitFilterFunctionFactory(RoutePolicies policies) {
		this.policies = policies;
	}

	/**
	 * Returns a filter that charges one permit of each policy.
	 * @param policies the names of the policies, at least one
	 * @return the filter
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown
	 * @throws IllegalArgumentException if there is no policy
	 */
	public HandlerFilterFunction<ServerResponse, ServerResponse> of(String... policies) {
		return of(1, policies);
	}

	/**
	 * Returns a filter that charges permits of each policy.
	 * @param cost the permits that a request costs, at least 0
	 * @param policies the names of the policies, at least one
	 * @return the filter
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown or can never
	 * admit the cost
	 * @throws IllegalArgumentException if there is no policy or the cost is negative
	 */
	public HandlerFilterFunction<ServerResponse, ServerResponse> of(long cost, String... policies) {
		return of(new RouteLimit(List.of(policies), cost));
	}

	/**
	 * Returns a filter that charges for the requests of a route.
	 * @param limit the policies, and what requests pay
	 * @return the filter
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown or can never
	 * admit the cost, or an expression is wrong
	 */
	public HandlerFilterFunction<ServerResponse, ServerResponse> of(RouteLimit limit) {
		this.policies.add(limit);
		return new RateLimitFilterFunction(limit);
	}

}

package io.github.ratelimit.spring.web;

import java.util.List;

/**
 * A limit of a route, such as those of Spring Cloud Gateway. A request is charged once
 * for limits that are equal, whatever routes it passes.
 *
 * @param policies the names of the policies to charge, at least one
 * @param cost the permits that a request costs or reserves, at least 0; 0 checks without
 * charging
 * @param outcome what the request pays once its response is complete
 */
public record RouteLimit(List<String> policies, long cost, RouteOutcome outcome) {

	/**
	 * Checks the limit, but not whether the policies exist.
	 * @param policies the names of the policies to charge
	 * @param cost the permits that a request costs or reserves
	 * @param outcome what the request pays once its response is complete
	 * @throws IllegalArgumentException if there is no policy or the cost is negative
	 */
	public RouteLimit {
		policies = List.copyOf(policies);
		if (policies.isEmpty()) {
			throw new IllegalArgumentException("'policies' must name at least one policy");
		}
		if (cost < 0) {
			throw new IllegalArgumentException("'cost' must not be negative, was " + cost);
		}
	}

	/**
	 * Creates a limit whose requests pay their cost.
	 * @param policies the names of the policies to charge
	 * @param cost the permits that a request costs
	 * @throws IllegalArgumentException if there is no policy or the cost is negative
	 */
	public RouteLimit(List<String> policies, long cost) {
		this(policies, cost, RouteOutcome.NONE);
	}

}

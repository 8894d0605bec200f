package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;

/**
 * The policies that routes charge. Thread-safe.
 */
public final class RouteLimits {

	private static final String PLACE = "a route";

	private final Policies policies;

	private final PolicyKeys keys;

	/**
	 * Creates the limits of an application's routes.
	 * @param policies the policies that routes may name
	 * @param keys creates the key resolvers of policies
	 */
	public RouteLimits(Policies policies, KeyResolvers keys) {
		this.policies = policies;
		this.keys = new PolicyKeys(policies, keys, keys.scope(), PLACE);
	}

	/**
	 * Checks that the policies of a limit exist and can admit its cost.
	 * @param place the property or filter that states the limit, with which the message
	 * begins
	 * @param limit the limit
	 * @throws InvalidRateLimitConfigurationException if they do not
	 */
	public void check(String place, RouteLimit limit) {
		try {
			limit.policies().forEach((name) -> this.policies.get(name).requireSatisfiable(limit.cost()));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(place + " charges " + limit.policies() + " with the cost "
					+ limit.cost() + ", but " + ex.getMessage(), "Correct it, or the policies in 'ratelimit.policies'.",
					ex);
		}
	}

	/**
	 * Returns the charges of limits for a caller.
	 * @param limits the limits
	 * @param caller the caller
	 * @param route names the route
	 * @return the charges in the order of the limits, until the request ends; none if no
	 * policy limits the caller
	 * @throws RefusedCallerException if a policy blocks the caller, or denies callers
	 * without a key
	 */
	public CallCharges charges(List<RouteLimit> limits, Caller caller, Route route) {
		CallContext call = new CallContext(caller, Map.of(), route);
		List<Charge> charges = new ArrayList<>();
		for (RouteLimit limit : limits) {
			for (String policy : limit.policies()) {
				Charge charge = this.keys.get(policy).charge(call, (any) -> limit.cost());
				if (charge != null) {
					charges.add(charge);
				}
			}
		}
		return CallCharges.of(charges).untilRequestEnds();
	}

}

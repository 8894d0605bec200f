package io.github.ratelimit.gateway;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.RouteLimits;
import org.jspecify.annotations.Nullable;

/**
 * The policies that the gateway's routes charge, as far as routes have been read or
 * built. Thread-safe.
 */
public final class RoutePolicies implements PolicyUse {

	private static final String JAVA = "a route in Java";

	private final Supplier<@Nullable RouteLimits> routes;

	private final Set<String> inJava = ConcurrentHashMap.newKeySet();

	private volatile Map<String, RouteLimit> byProperty = Map.of();

	/**
	 * Creates a registry without any policy.
	 * @param routes supplies the policies that routes may name, or nothing if limits are
	 * disabled
	 */
	public RoutePolicies(Supplier<@Nullable RouteLimits> routes) {
		this.routes = routes;
	}

	/**
	 * Returns whether limits are enabled.
	 * @return whether requests of routes are limited
	 */
	public boolean areEnabled() {
		return this.routes.get() != null;
	}

	/**
	 * Checks the limit of a route.
	 * @param limit the limit
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown or can never
	 * admit the cost
	 */
	public void check(RouteLimit limit) {
		check("The filter 'RateLimit' of a route", limit);
	}

	/**
	 * Adds the limit of a route in Java.
	 * @param limit the limit
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown or can never
	 * admit the cost
	 */
	public void add(RouteLimit limit) {
		check(limit);
		this.inJava.addAll(limit.policies());
	}

	/**
	 * Replaces the limits of all routes in properties.
	 * @param limits the limits by the properties that state them
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown or can never
	 * admit the cost
	 */
	public void replaceProperties(Map<String, RouteLimit> limits) {
		limits.forEach((property, limit) -> check("The filter in '" + property + "'", limit));
		this.byProperty = Map.copyOf(limits);
	}

	private void check(String place, RouteLimit limit) {
		RouteLimits known = this.routes.get();
		if (known != null) {
			known.check(place, limit);
		}
	}

	@Override
	public Map<String, ? extends Collection<String>> byPolicy() {
		Map<String, Set<String>> places = new HashMap<>();
		this.inJava.forEach((policy) -> add(places, policy, JAVA));
		this.byProperty
			.forEach((property, limit) -> limit.policies().forEach((policy) -> add(places, policy, property)));
		return places;
	}

	private static void add(Map<String, Set<String>> places, String policy, String place) {
		places.computeIfAbsent(policy, (name) -> new TreeSet<>()).add(place);
	}

}

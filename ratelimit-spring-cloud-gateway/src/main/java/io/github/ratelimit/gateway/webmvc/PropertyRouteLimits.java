package io.github.ratelimit.gateway.webmvc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.gateway.RateLimitArguments;
import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.web.RouteLimit;

import org.springframework.cloud.gateway.server.mvc.config.FilterProperties;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.RouteProperties;

/**
 * A reader of the limits of routes in properties. A wrong one stops it with an exception
 * that names the property.
 */
final class PropertyRouteLimits {

	private static final String NAME = "RateLimit";

	private final Map<String, RouteLimit> byProperty = new LinkedHashMap<>();

	private final RoutePolicies policies;

	/**
	 * Creates a reader.
	 * @param policies receives the policies that routes charge
	 */
	PropertyRouteLimits(RoutePolicies policies) {
		this.policies = policies;
	}

	/** Returns the limits of each limited route by its id. */
	Map<String, List<RouteLimit>> read(GatewayMvcProperties properties) {
		Map<String, List<RouteLimit>> limits = new HashMap<>();
		List<RouteProperties> routes = properties.getRoutes();
		for (int i = 0; i < routes.size(); i++) {
			add(limits, GatewayMvcProperties.PREFIX + ".routes[" + i + "]", String.valueOf(routes.get(i).getId()),
					routes.get(i));
		}
		properties.getRoutesMap()
			.forEach((key, route) -> add(limits, GatewayMvcProperties.PREFIX + ".routes-map." + key,
					(route.getId() != null) ? route.getId() : key, route));
		this.policies.replaceProperties(this.byProperty);
		return limits;
	}

	private void add(Map<String, List<RouteLimit>> limits, String property, String id, RouteProperties route) {
		List<RouteLimit> found = new ArrayList<>();
		for (int i = 0; i < route.getFilters().size(); i++) {
			FilterProperties filter = route.getFilters().get(i);
			if (NAME.equalsIgnoreCase(filter.getName())) {
				String place = property + ".filters[" + i + "]";
				RouteLimit limit = limit(place, filter.getArgs());
				this.byProperty.put(place, limit);
				found.add(limit);
			}
		}
		if (!found.isEmpty()) {
			limits.put(id, found);
		}
	}

	private static RouteLimit limit(String property, Map<String, String> arguments) {
		try {
			return RateLimitArguments.of(arguments).toLimit();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(
					"The filter in '" + property + "' has the arguments " + arguments.values() + ", but "
							+ ex.getMessage(),
					"Correct the arguments, as in RateLimit=api or {name: RateLimit, args: {policies: [api], cost: 2}}.",
					ex);
		}
	}

}

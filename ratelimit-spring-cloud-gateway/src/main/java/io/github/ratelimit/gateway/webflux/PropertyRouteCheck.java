package io.github.ratelimit.gateway.webflux;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.gateway.RateLimitArguments;
import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.web.RouteLimit;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.support.ConfigurationService;

/**
 * A check of the routes in properties, which stops the start-up if they charge an unknown
 * policy. The gateway itself builds its routes later, and logs what fails.
 */
public final class PropertyRouteCheck implements SmartInitializingSingleton {

	private static final String DROP_IN = "RequestRateLimiter";

	private final GatewayProperties properties;

	private final ConfigurationService arguments;

	private final RateLimitGatewayFilterFactory filters;

	private final RoutePolicies policies;

	/**
	 * Creates a check.
	 * @param properties the properties of the gateway
	 * @param arguments binds the arguments of filters
	 * @param filters the factory of the filters to check
	 * @param policies receives the policies that routes charge
	 */
	public PropertyRouteCheck(GatewayProperties properties, ConfigurationService arguments,
			RateLimitGatewayFilterFactory filters, RoutePolicies policies) {
		this.properties = properties;
		this.arguments = arguments;
		this.filters = filters;
		this.policies = policies;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.policies.areEnabled()) {
			return;
		}
		Map<String, RouteLimit> limits = new LinkedHashMap<>();
		add(limits, GatewayProperties.PREFIX + ".default-filters", this.properties.getDefaultFilters());
		List<RouteDefinition> definitions = this.properties.getRoutes();
		for (int i = 0; i < definitions.size(); i++) {
			add(limits, GatewayProperties.PREFIX + ".routes[" + i + "].filters", definitions.get(i).getFilters());
		}
		this.policies.replaceProperties(limits);
	}

	private void add(Map<String, RouteLimit> limits, String property, List<FilterDefinition> filters) {
		for (int i = 0; i < filters.size(); i++) {
			String filter = property + '[' + i + ']';
			RouteLimit limit = limit(filter, filters.get(i));
			if (limit != null) {
				limits.put(filter, limit);
			}
		}
	}

	private @Nullable RouteLimit limit(String property, FilterDefinition filter) {
		try {
			return switch (Objects.requireNonNullElse(filter.getName(), "")) {
				case RateLimitGatewayFilterFactory.NAME -> limit(filter);
				case DROP_IN -> dropIn(filter);
				default -> null;
			};
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(
					"The filter in '" + property + "' has the arguments " + filter.getArgs().values() + ", but "
							+ ex.getMessage(),
					"Correct the arguments, as in RateLimit=api or {name: RateLimit, args: {policies: [api], cost: 2}}.",
					ex);
		}
	}

	private RouteLimit limit(FilterDefinition filter) {
		RateLimitArguments.requireKnown(filter.getArgs());
		return this.arguments.with(this.filters).name(filter.getName()).properties(filter.getArgs()).bind().toLimit();
	}

	private static @Nullable RouteLimit dropIn(FilterDefinition filter) {
		PolicyRateLimiter.Config config = PolicyRateLimiter.Config.of(filter.getArgs());
		return (config != null) ? config.toLimit() : null;
	}

}

package io.github.ratelimit.gateway.webflux;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.RouteLimits;
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

	private final Supplier<@Nullable RouteLimits> routes;

	/**
	 * Creates a check.
	 * @param properties the properties of the gateway
	 * @param arguments binds the arguments of filters
	 * @param filters the factory of the filters to check
	 * @param routes supplies the policies of routes, or nothing if limits are disabled
	 */
	public PropertyRouteCheck(GatewayProperties properties, ConfigurationService arguments,
			RateLimitGatewayFilterFactory filters, Supplier<@Nullable RouteLimits> routes) {
		this.properties = properties;
		this.arguments = arguments;
		this.filters = filters;
		this.routes = routes;
	}

	@Override
	public void afterSingletonsInstantiated() {
		RouteLimits routes = this.routes.get();
		if (routes == null) {
			return;
		}
		check(GatewayProperties.PREFIX + ".default-filters", this.properties.getDefaultFilters(), routes);
		List<RouteDefinition> definitions = this.properties.getRoutes();
		for (int i = 0; i < definitions.size(); i++) {
			check(GatewayProperties.PREFIX + ".routes[" + i + "].filters", definitions.get(i).getFilters(), routes);
		}
	}

	private void check(String property, List<FilterDefinition> filters, RouteLimits routes) {
		for (int i = 0; i < filters.size(); i++) {
			String filter = property + '[' + i + ']';
			RouteLimit limit = limit(filter, filters.get(i));
			if (limit != null) {
				routes.check("The filter in '" + filter + "'", limit);
			}
		}
	}

	private @Nullable RouteLimit limit(String property, FilterDefinition filter) {
		try {
			return switch (Objects.requireNonNullElse(filter.getName(), "")) {
				case RateLimitGatewayFilterFactory.NAME -> this.arguments.with(this.filters)
					.name(filter.getName())
					.properties(filter.getArgs())
					.bind()
					.toLimit();
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

	private static @Nullable RouteLimit dropIn(FilterDefinition filter) {
		PolicyRateLimiter.Config config = PolicyRateLimiter.Config.of(filter.getArgs());
		return (config != null) ? config.toLimit() : null;
	}

}

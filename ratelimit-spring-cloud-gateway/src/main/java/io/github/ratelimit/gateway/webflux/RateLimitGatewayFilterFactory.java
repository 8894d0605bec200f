package io.github.ratelimit.gateway.webflux;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.github.ratelimit.gateway.RateLimitArguments;
import io.github.ratelimit.gateway.RoutePolicies;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.reactive.GatewayRoutes;
import io.github.ratelimit.spring.web.reactive.ReactiveRouteLimiter;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;

/**
 * The factory of the filter {@code RateLimit}, which charges policies for the requests of
 * a route. All such filters of a route, and the rules that a request matches, are one
 * decision. Thread-safe.
 */
public final class RateLimitGatewayFilterFactory extends AbstractGatewayFilterFactory<RateLimitArguments> {

	/** The name of the filter. */
	static final String NAME = "RateLimit";

	/** The names of the values of a shortcut, which are those of a list. */
	private static final List<String> SHORTCUT = IntStream.range(0, 100)
		.mapToObj((index) -> "policies." + index)
		.toList();

	private final RoutePolicies policies;

	private final Supplier<@Nullable ReactiveRouteLimiter> limiter;

	/**
	 * Creates a factory.
	 * @param policies receives the policies that routes in Java charge
	 * @param limiter supplies the limiter, or nothing if limits are disabled
	 */
	public RateLimitGatewayFilterFactory(RoutePolicies policies, Supplier<@Nullable ReactiveRouteLimiter> limiter) {
		super(RateLimitArguments.class);
		this.policies = policies;
		this.limiter = limiter;
	}

	/**
	 * Returns a lookup of the routes with such a filter.
	 * @return the lookup
	 */
	public static GatewayRoutes limitedRoutes() {
		return RateLimitGatewayFilter::limits;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<String> shortcutFieldOrder() {
		return SHORTCUT;
	}

	/**
	 * Returns a filter with the arguments of a route.
	 * @param arguments the arguments
	 * @return the filter
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown or can never
	 * admit the cost
	 * @throws IllegalArgumentException if the arguments are incomplete or the cost is
	 * negative
	 */
	@Override
	public GatewayFilter apply(RateLimitArguments arguments) {
		RouteLimit limit = arguments.toLimit();
		this.policies.check(limit);
		return new RateLimitGatewayFilter(limit, this.limiter);
	}

	/**
	 * Returns a filter that charges one permit of each policy.
	 * @param policies the names of the policies, at least one
	 * @return the filter
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown
	 * @throws IllegalArgumentException if there is no policy
	 */
	public GatewayFilter of(String... policies) {
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
	public GatewayFilter of(long cost, String... policies) {
		return of(new RouteLimit(List.of(policies), cost));
	}

	/**
	 * Returns a filter that charges for the requests of a route.
	 * @param limit the policies, and what requests pay
	 * @return the filter
	 * @throws InvalidRateLimitConfigurationException if a policy is unknown or can never
	 * admit the cost, or an expression is wrong
	 */
	public GatewayFilter of(RouteLimit limit) {
		this.policies.add(limit);
		return new RateLimitGatewayFilter(limit, this.limiter);
	}

}

package io.github.ratelimit.gateway.webflux;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.reactive.ReactiveRouteLimiter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * A filter that limits the requests of a route. The first of a route decides the limits
 * of all.
 */
final class RateLimitGatewayFilter implements GatewayFilter {

	private final RouteLimit limit;

	private final Supplier<@Nullable ReactiveRouteLimiter> limiter;

	/**
	 * Creates a filter.
	 * @param limit the limit
	 * @param limiter supplies the limiter, or nothing if limits are disabled
	 */
	RateLimitGatewayFilter(RouteLimit limit, Supplier<@Nullable ReactiveRouteLimiter> limiter) {
		this.limit = limit;
		this.limiter = limiter;
	}

	/** Returns whether the route of an exchange has such a filter. */
	static boolean limits(ServerWebExchange exchange) {
		return !limitsOf(exchange).isEmpty();
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		ReactiveRouteLimiter limiter = this.limiter.get();
		if (limiter == null) {
			return chain.filter(exchange);
		}
		List<RouteLimit> limits = limitsOf(exchange);
		return limiter
			.tryAdmit(limits.contains(this.limit) ? limits : List.of(this.limit), (request) -> id(exchange),
					asSent(exchange))
			.flatMap((admitted) -> admitted ? chain.filter(exchange) : Mono.empty());
	}

	/** Returns an exchange with the path that the client sent, if a filter rewrote it. */
	private static ServerWebExchange asSent(ServerWebExchange exchange) {
		Set<URI> urls = exchange.getAttributeOrDefault(ServerWebExchangeUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR,
				Set.of());
		return urls.stream()
			.findFirst()
			.map((url) -> exchange.mutate().request((request) -> request.path(url.getRawPath())).build())
			.orElse(exchange);
	}

	private static @Nullable String id(ServerWebExchange exchange) {
		Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		return (route != null) ? route.getId() : null;
	}

	private static List<RouteLimit> limitsOf(ServerWebExchange exchange) {
		Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		if (route == null) {
			return List.of();
		}
		List<RouteLimit> limits = new ArrayList<>();
		for (GatewayFilter each : route.getFilters()) {
			GatewayFilter filter = (each instanceof OrderedGatewayFilter ordered) ? ordered.getDelegate() : each;
			if (filter instanceof RateLimitGatewayFilter limiting) {
				limits.add(limiting.limit);
			}
		}
		return limits;
	}

	@Override
	public String toString() {
		return "[RateLimit policies = " + this.limit.policies() + ", cost = " + this.limit.cost() + ']';
	}

}

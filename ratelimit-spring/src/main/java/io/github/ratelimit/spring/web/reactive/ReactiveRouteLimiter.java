package io.github.ratelimit.spring.web.reactive;

import java.util.List;

import io.github.ratelimit.key.Route;
import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.RouteLimits;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * A limiter of the reactive requests that routes serve. Thread-safe.
 */
public final class ReactiveRouteLimiter {

	private final ReactiveRequestLimiter limiter;

	private final RouteLimits routes;

	/**
	 * Creates a limiter.
	 * @param limiter decides, together with rules
	 * @param routes the policies of routes
	 */
	public ReactiveRouteLimiter(ReactiveRequestLimiter limiter, RouteLimits routes) {
		this.limiter = limiter;
		this.routes = routes;
	}

	/**
	 * Decides limits and the deferred rules in one decision, without the limits that the
	 * request has passed before.
	 * @param limits the limits of a route
	 * @param route names the route
	 * @param exchange the request and its response
	 * @return emits whether the request may proceed; otherwise the response is complete
	 */
	public Mono<Boolean> tryAdmit(List<RouteLimit> limits, Route route, ServerWebExchange exchange) {
		return this.limiter.tryAdmit(this.routes, limits, route, exchange);
	}

}

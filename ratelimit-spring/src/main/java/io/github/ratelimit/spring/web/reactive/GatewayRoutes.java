package io.github.ratelimit.spring.web.reactive;

import org.springframework.web.server.ServerWebExchange;

/**
 * The routes of a gateway that decide their limits with a {@link ReactiveRouteLimiter}.
 * The rules that their requests match are deferred to that decision.
 */
@FunctionalInterface
public interface GatewayRoutes {

	/**
	 * Returns whether a request is served by such a route.
	 * @param exchange an exchange that a handler mapping has mapped to its handler
	 * @return whether the route decides
	 */
	boolean serve(ServerWebExchange exchange);

}

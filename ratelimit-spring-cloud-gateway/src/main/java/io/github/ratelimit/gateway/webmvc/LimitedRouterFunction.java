package io.github.ratelimit.gateway.webmvc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.ratelimit.spring.web.RouteLimit;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A router of the routes in properties, whose handlers decide all limits of their route
 * before its filters.
 */
final class LimitedRouterFunction implements RouterFunction<ServerResponse> {

	private final RouterFunction<ServerResponse> all;

	private final Map<String, RouterFunction<ServerResponse>> routes;

	private final Map<String, List<RouteLimit>> limits;

	/**
	 * Creates a router.
	 * @param all all routes as one
	 * @param routes the routes by their ids, in order
	 * @param limits the limits of routes by their ids
	 */
	LimitedRouterFunction(RouterFunction<ServerResponse> all, Map<String, RouterFunction<ServerResponse>> routes,
			Map<String, List<RouteLimit>> limits) {
		this.all = all;
		this.routes = new LinkedHashMap<>(routes);
		this.limits = limits;
	}

	@Override
	public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
		for (Map.Entry<String, RouterFunction<ServerResponse>> route : this.routes.entrySet()) {
			Optional<HandlerFunction<ServerResponse>> handler = route.getValue().route(request);
			if (handler.isPresent()) {
				List<RouteLimit> limits = this.limits.get(route.getKey());
				if (limits == null) {
					return handler;
				}
				// As the filters of the route will do
				request.attributes().put(MvcUtils.GATEWAY_ROUTE_ID_ATTR, route.getKey());
				return Optional.of(LimitedHandlerFunction.of(limits, handler.get()));
			}
		}
		return Optional.empty();
	}

	@Override
	public void accept(RouterFunctions.Visitor visitor) {
		this.all.accept(visitor);
	}

	@Override
	public String toString() {
		return this.all.toString();
	}

}

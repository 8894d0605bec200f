package io.github.ratelimit.gateway.webmvc;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.springframework.core.io.Resource;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A visitor that finds the gateway's routes in properties by their ids. The gateway keeps
 * them in an attribute of the router of all.
 */
final class RoutesInProperties implements RouterFunctions.Visitor {

	private static final String ATTRIBUTE = "gatewayRouterFunctions";

	private final Map<String, Object> attributes = new HashMap<>();

	/** Returns the routes of a router in their order, none if it has no such routes. */
	@SuppressWarnings("unchecked")
	static Map<String, RouterFunction<ServerResponse>> of(RouterFunction<ServerResponse> router) {
		RoutesInProperties visitor = new RoutesInProperties();
		router.accept(visitor);
		return (visitor.attributes.get(ATTRIBUTE) instanceof Map<?, ?> routes)
				? (Map<String, RouterFunction<ServerResponse>>) routes : Map.of();
	}

	@Override
	public void attributes(Map<String, Object> attributes) {
		attributes.forEach(this.attributes::putIfAbsent);
	}

	@Override
	public void startNested(RequestPredicate predicate) {
		// Nested routes are not those of the gateway.
	}

	@Override
	public void endNested(RequestPredicate predicate) {
		// Nested routes are not those of the gateway.
	}

	@Override
	public void route(RequestPredicate predicate, HandlerFunction<?> handlerFunction) {
		// The attribute has all routes.
	}

	@Override
	public void resources(Function<ServerRequest, Optional<Resource>> lookupFunction) {
		// Resources are not limited by route.
	}

	@Override
	public void unknown(RouterFunction<?> routerFunction) {
		// The attribute has all routes.
	}

}

package io.github.ratelimit.gateway.webmvc;

import java.util.List;

import io.github.ratelimit.spring.web.RouteLimit;

import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A filter that limits the requests of a route, unless the route has decided the limit
 * before.
 *
 * @param limit the limit
 */
record RateLimitFilterFunction(RouteLimit limit) implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		return apply(next).handle(request);
	}

	/** Returns a handler that shows its limit, as it is the route's outermost one. */
	@Override
	public HandlerFunction<ServerResponse> apply(HandlerFunction<ServerResponse> handler) {
		return LimitedHandlerFunction.of(List.of(this.limit), handler);
	}

}

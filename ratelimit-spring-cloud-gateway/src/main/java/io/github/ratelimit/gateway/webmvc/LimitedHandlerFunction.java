package io.github.ratelimit.gateway.webmvc;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.servlet.GatewayRoute;
import io.github.ratelimit.spring.web.servlet.ServletRouteLimiter;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A handler that decides limits in one decision before it calls another.
 *
 * @param limits the limits
 * @param handler the handler to call if they admit a request
 */
record LimitedHandlerFunction(List<RouteLimit> limits,
		HandlerFunction<ServerResponse> handler) implements HandlerFunction<ServerResponse>, GatewayRoute {

	/** Returns a handler with limits, and with those that the other handler has. */
	static LimitedHandlerFunction of(List<RouteLimit> limits, HandlerFunction<ServerResponse> handler) {
		return (handler instanceof LimitedHandlerFunction limited)
				? new LimitedHandlerFunction(Stream.concat(limits.stream(), limited.limits.stream()).toList(),
						limited.handler)
				: new LimitedHandlerFunction(limits, handler);
	}

	/** Decides nothing if limits are disabled. */
	@Override
	public ServerResponse handle(ServerRequest request) throws Exception {
		MvcUtils.getApplicationContext(request)
			.getBeanProvider(ServletRouteLimiter.class)
			.ifAvailable((limiter) -> limiter.admit(this.limits, (served) -> route(request, served),
					request.servletRequest(), response()));
		return this.handler.handle(request);
	}

	/** Returns the id of the route, or the pattern of one that has none yet. */
	private static @Nullable String route(ServerRequest request, @Nullable CallRequest served) {
		return request.attribute(MvcUtils.GATEWAY_ROUTE_ID_ATTR)
			.map(Object::toString)
			.orElseGet(() -> (served != null) ? served.pattern() : null);
	}

	private static HttpServletResponse response() {
		ServletRequestAttributes attributes = (ServletRequestAttributes) RequestContextHolder
			.currentRequestAttributes();
		return Objects.requireNonNull(attributes.getResponse());
	}

}

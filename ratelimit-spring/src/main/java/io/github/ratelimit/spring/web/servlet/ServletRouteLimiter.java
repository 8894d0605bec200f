package io.github.ratelimit.spring.web.servlet;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.RouteLimits;
import io.github.ratelimit.store.RateLimitStoreException;

/**
 * A limiter of the servlet requests that routes serve. Thread-safe.
 */
public final class ServletRouteLimiter {

	private final ServletRequestLimiter limiter;

	private final RouteLimits routes;

	/**
	 * Creates a limiter.
	 * @param limiter decides, together with rules
	 * @param routes the policies of routes
	 */
	public ServletRouteLimiter(ServletRequestLimiter limiter, RouteLimits routes) {
		this.limiter = limiter;
		this.routes = routes;
	}

	/**
	 * Decides limits and the deferred rules in one decision, without the limits that the
	 * request has passed before.
	 * @param limits the limits of a route
	 * @param route names the route
	 * @param request the request
	 * @param response gets the headers that report the decision
	 * @throws RateLimitExceededException if the request is denied
	 * @throws RefusedCallerException if a policy blocks the caller, or denies callers
	 * without a key
	 * @throws RateLimitStoreException if the store failed and a policy denies then
	 */
	public void admit(List<RouteLimit> limits, Route route, HttpServletRequest request, HttpServletResponse response) {
		this.limiter.admit(this.routes, limits, route, request, response);
	}

}

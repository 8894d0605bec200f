package io.github.ratelimit.spring.web.servlet;

/**
 * A handler that decides the limits of a route with a {@link ServletRouteLimiter}. The
 * rules that its requests match are deferred to that decision.
 */
public interface LimitedRoute {

}

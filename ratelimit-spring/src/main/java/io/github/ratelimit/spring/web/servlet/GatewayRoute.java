package io.github.ratelimit.spring.web.servlet;

/**
 * A route of a gateway that decides its limits with a {@link ServletRouteLimiter}. The
 * rules that its requests match are deferred to that decision.
 */
public interface GatewayRoute {

}

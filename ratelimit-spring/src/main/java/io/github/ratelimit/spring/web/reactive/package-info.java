/**
 * Rules, rejections and headers for WebFlux applications. Its public types are for the
 * auto-configuration; {@code ReactiveRouteLimiter}, {@code GatewayRoutes} and
 * {@code ReactiveRequests} are for modules that limit routes, too.
 */
@NullMarked
package io.github.ratelimit.spring.web.reactive;

import org.jspecify.annotations.NullMarked;

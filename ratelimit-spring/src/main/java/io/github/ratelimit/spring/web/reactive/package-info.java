/**
 * Rules, rejections and headers for WebFlux applications. Its public types are for the
 * auto-configuration; {@code ReactiveRouteLimiter}, {@code GatewayRoutes} and
 * {@code ReactiveRequests} are for modules that limit routes, too.
 * <p>
 * Most of its tests need an application: they are in {@code spring.web} in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.web.reactive;

import org.jspecify.annotations.NullMarked;

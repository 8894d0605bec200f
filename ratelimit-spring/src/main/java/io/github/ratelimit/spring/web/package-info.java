/**
 * Rules, rejections and limited handlers that Servlet and WebFlux applications share. Its
 * public types other than {@code RateLimitResponseCustomizer} are for the sub-packages
 * and the auto-configuration; {@code RouteLimit} and {@code RouteLimits} are for modules
 * that limit routes, too.
 * <p>
 * Most of its tests need an application: they are in the package of the same name in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.web;

import org.jspecify.annotations.NullMarked;

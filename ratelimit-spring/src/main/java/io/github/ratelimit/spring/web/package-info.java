/**
 * Rules, rejections and limited handlers that Servlet and WebFlux applications share. Its
 * public types other than {@code RateLimitResponseCustomizer} are for the sub-packages
 * and the auto-configuration; {@code RouteLimit} and {@code RouteLimits} are for modules
 * that limit routes, too.
 */
@NullMarked
package io.github.ratelimit.spring.web;

import org.jspecify.annotations.NullMarked;

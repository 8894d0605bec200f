/**
 * Rules, rejections and headers for servlet applications. Its public types are for the
 * auto-configuration; {@code ServletRouteLimiter}, {@code GatewayRoute} and
 * {@code ServletRequests} are for modules that limit routes, too.
 * <p>
 * Most of its tests need an application: they are in {@code spring.web} in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.web.servlet;

import org.jspecify.annotations.NullMarked;

/**
 * Rate limits by route in Spring Cloud Gateway on WebFlux: the filter {@code RateLimit},
 * and a rate limiter for the filter {@code RequestRateLimiter}. Its public types other
 * than {@code RateLimitGatewayFilterFactory} and {@code PolicyRateLimiter} are for the
 * auto-configuration.
 */
@NullMarked
package io.github.ratelimit.gateway.webflux;

import org.jspecify.annotations.NullMarked;

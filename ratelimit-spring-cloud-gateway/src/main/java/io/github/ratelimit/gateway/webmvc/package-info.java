/**
 * Rate limits by route in Spring Cloud Gateway on Spring MVC: the filter
 * {@code RateLimit}. Its public types other than {@code RateLimitFilterFunctions} are for
 * the auto-configuration.
 */
@NullMarked
package io.github.ratelimit.gateway.webmvc;

import org.jspecify.annotations.NullMarked;

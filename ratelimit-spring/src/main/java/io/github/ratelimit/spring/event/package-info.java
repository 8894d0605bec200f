/**
 * Application events and log lines about decisions, sampled by key.
 * {@link io.github.ratelimit.spring.event.RateLimitDenied},
 * {@link io.github.ratelimit.spring.event.RateLimitShadowDenied} and
 * {@link io.github.ratelimit.spring.event.RateLimitApproached} are for applications.
 * <p>
 * Its tests need an application: they are in the package of the same name in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.event;

import org.jspecify.annotations.NullMarked;

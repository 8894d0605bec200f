/**
 * Application events and log lines about decisions, sampled by key.
 * {@link io.github.ratelimit.spring.event.RateLimitDenied},
 * {@link io.github.ratelimit.spring.event.RateLimitShadowDenied} and
 * {@link io.github.ratelimit.spring.event.RateLimitApproached} are for applications.
 */
@NullMarked
package io.github.ratelimit.spring.event;

import org.jspecify.annotations.NullMarked;

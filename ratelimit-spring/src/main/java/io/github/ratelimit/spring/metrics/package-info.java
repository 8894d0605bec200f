/**
 * The meters and observations of the limiter. No tag or key value contains a key, an
 * address or a user. Applications use
 * {@link io.github.ratelimit.spring.metrics.RateLimitObservationConvention}.
 * <p>
 * Some of its tests need an application: they are in the package of the same name in
 * {@code ratelimit-spring-boot-autoconfigure}.
 */
@NullMarked
package io.github.ratelimit.spring.metrics;

import org.jspecify.annotations.NullMarked;

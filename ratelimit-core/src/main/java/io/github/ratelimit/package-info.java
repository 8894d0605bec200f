/**
 * The API of the rate limiter: the annotation, the charges and the {@code RateLimiter}.
 */
@NullMarked
package io.github.ratelimit;

import org.jspecify.annotations.NullMarked;

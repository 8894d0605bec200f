/**
 * The limiter's meters. No tag ever holds a key, an address or a user.
 */
@NullMarked
package io.github.ratelimit.spring.metrics;

import org.jspecify.annotations.NullMarked;

/** The meters of the limiter. No tag contains a key, an address or a user. */
@NullMarked
package io.github.ratelimit.spring.metrics;

import org.jspecify.annotations.NullMarked;

/**
 * What an application talks to: the annotation, the policies and the {@code RateLimiter}
 * that charges them.
 */
@NullMarked
package io.github.ratelimit;

import org.jspecify.annotations.NullMarked;

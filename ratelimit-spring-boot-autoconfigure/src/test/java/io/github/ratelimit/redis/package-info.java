/**
 * Redis for tests, wherever it can be had.
 */
@NullMarked
package io.github.ratelimit.redis;

import org.jspecify.annotations.NullMarked;

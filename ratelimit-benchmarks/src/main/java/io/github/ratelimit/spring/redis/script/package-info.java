/**
 * Benchmarks of what the Redis store keeps to itself.
 */
@NullMarked
package io.github.ratelimit.spring.redis.script;

import org.jspecify.annotations.NullMarked;

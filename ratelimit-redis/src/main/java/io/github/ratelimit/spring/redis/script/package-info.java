/**
 * Requests to Redis and replies: scripts, keys and arguments. The public types are
 * internal to {@code spring.redis}.
 */
@NullMarked
package io.github.ratelimit.spring.redis.script;

import org.jspecify.annotations.NullMarked;

/**
 * A store in Redis. One Lua script decides all limits of a request in one round trip
 * through Spring Data Redis.
 */
@NullMarked
package io.github.ratelimit.spring.redis;

import org.jspecify.annotations.NullMarked;

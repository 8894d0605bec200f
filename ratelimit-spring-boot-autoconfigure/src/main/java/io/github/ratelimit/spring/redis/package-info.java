/**
 * The Redis store: joins the Lua forms of the limits of a call into one script and runs
 * it through Spring Data Redis, one round trip a decision.
 */
@NullMarked
package io.github.ratelimit.spring.redis;

import org.jspecify.annotations.NullMarked;

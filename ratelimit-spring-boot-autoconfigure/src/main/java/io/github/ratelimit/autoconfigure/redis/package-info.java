/**
 * The wiring of Redis: the evidence that an application uses it, and what is kept in it
 * next to the counts.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;

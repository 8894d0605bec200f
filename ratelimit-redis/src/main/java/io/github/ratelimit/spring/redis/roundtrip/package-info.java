/**
 * Fewer round trips to Redis: batches of requests, cached denials and prefetched permits.
 * The public types are internal to {@code spring.redis}.
 */
@NullMarked
package io.github.ratelimit.spring.redis.roundtrip;

import org.jspecify.annotations.NullMarked;

/**
 * The permits of limits on concurrency that the calls of this instance hold or wait for.
 * The public types are internal to the limiter.
 */
@NullMarked
package io.github.ratelimit.concurrency;

import org.jspecify.annotations.NullMarked;

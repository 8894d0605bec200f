/**
 * The parts of a store outside the process, whatever it is: runs that decide several
 * requests, timeouts, a circuit breaker, caches, and texts of what it keeps. For those
 * who write a store; they may change with each release.
 */
@NullMarked
package io.github.ratelimit.store.shared;

import org.jspecify.annotations.NullMarked;

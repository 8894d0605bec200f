package io.github.ratelimit.store;

import java.time.Instant;

import io.github.ratelimit.store.RateLimitStoreException.Kind;

/**
 * A failure of a store to decide, other than that its circuit breaker was open.
 *
 * @param kind the kind of failure, which is never {@link Kind#OPEN}
 * @param at when it happened, by the clock of this process
 */
public record StoreFailure(Kind kind, Instant at) {

}

package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * The store in which this instance counts while the main store fails. The wrapper keeps
 * it apart from the {@code RateLimitStore} bean.
 *
 * @param counts the memory store, which is the main store if that is in memory
 */
public record LocalStore(MemoryRateLimitStore counts) {
}

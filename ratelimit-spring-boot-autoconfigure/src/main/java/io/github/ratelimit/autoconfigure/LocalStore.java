package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.store.MemoryRateLimitStore;

/**
 * Where this instance counts while the store fails. It is no bean that an application
 * could take for the store.
 *
 * @param counts the store itself where that is in memory, which never fails
 */
record LocalStore(MemoryRateLimitStore counts) {
}

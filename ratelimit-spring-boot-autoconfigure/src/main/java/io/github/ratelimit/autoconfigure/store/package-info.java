/**
 * The wiring of stores: whether calls are counted in Redis or in memory, and what
 * prepares a store for its first call.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.store;

import org.jspecify.annotations.NullMarked;

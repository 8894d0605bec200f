/**
 * The store that keeps its counters in the memory of this process.
 */
@NullMarked
package io.github.ratelimit.store.memory;

import org.jspecify.annotations.NullMarked;

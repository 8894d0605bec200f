/**
 * The wiring of stores: where calls are counted, and what prepares a store for its first
 * call. No kind of store that is shared has a part in it.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.store;

import org.jspecify.annotations.NullMarked;

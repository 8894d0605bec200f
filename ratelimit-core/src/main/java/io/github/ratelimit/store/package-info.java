/**
 * The contract of a store that keeps counts and decides requests.
 */
@NullMarked
package io.github.ratelimit.store;

import org.jspecify.annotations.NullMarked;

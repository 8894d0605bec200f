/**
 * Where counts live: the contract of a store, and the one that keeps them in this
 * process.
 */
@NullMarked
package io.github.ratelimit.store;

import org.jspecify.annotations.NullMarked;

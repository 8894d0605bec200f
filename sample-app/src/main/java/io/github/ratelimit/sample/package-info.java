/**
 * A small public API whose every endpoint shows one way of limiting calls.
 */
@NullMarked
package io.github.ratelimit.sample;

import org.jspecify.annotations.NullMarked;

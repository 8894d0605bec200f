/**
 * The limits and the algorithms that decide them, each as pure arithmetic in Java with a
 * Lua twin next to it.
 */
@NullMarked
package io.github.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;

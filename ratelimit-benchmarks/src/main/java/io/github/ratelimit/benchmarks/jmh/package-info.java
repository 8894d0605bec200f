/**
 * What decisions within the process cost, beside hand-written ones and other libraries.
 * Not published.
 */
@NullMarked
package io.github.ratelimit.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;

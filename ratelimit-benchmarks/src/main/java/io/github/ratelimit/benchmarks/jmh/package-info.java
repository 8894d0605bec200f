/**
 * Measures the cost of decisions within the process, next to hand-written ones and other
 * libraries. Not published.
 */
@NullMarked
package io.github.ratelimit.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;

/**
 * Measures the cost of a decision, next to hand-written scripts. Not published.
 */
@NullMarked
package io.github.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;

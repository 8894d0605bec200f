/**
 * What decisions cost, beside hand-written scripts. Not published.
 */
@NullMarked
package io.github.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;

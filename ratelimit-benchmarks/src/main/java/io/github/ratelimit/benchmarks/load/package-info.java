/**
 * Measures limiters on Redis under load, all in one run: several ways to limit, callers
 * that keep them busy, and the figures taken meanwhile.
 */
@NullMarked
package io.github.ratelimit.benchmarks.load;

import org.jspecify.annotations.NullMarked;

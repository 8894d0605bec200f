/**
 * The cost of the starter at the start of an application, measured in processes with and
 * without it.
 */
@NullMarked
package io.github.ratelimit.benchmarks.startup;

import org.jspecify.annotations.NullMarked;

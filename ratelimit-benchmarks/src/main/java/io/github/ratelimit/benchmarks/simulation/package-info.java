/**
 * A discrete-event model of many application instances on several Redis masters. Times
 * are in microseconds.
 */
@NullMarked
package io.github.ratelimit.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;

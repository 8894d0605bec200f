/**
 * Sums of what each key has spent in each interval, for a sink of the application, such
 * as a billing system. Public for the auto-configuration, and {@code ConsumptionSink} and
 * its records for applications.
 */
@NullMarked
package io.github.ratelimit.spring.consumption;

import org.jspecify.annotations.NullMarked;

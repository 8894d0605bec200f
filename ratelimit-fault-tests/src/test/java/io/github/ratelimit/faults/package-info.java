/**
 * The behaviour and the times of the limiter while Redis or the network fails, with real
 * servers. Each test is a row of the table of promises.
 */
@NullMarked
package io.github.ratelimit.faults;

import org.jspecify.annotations.NullMarked;

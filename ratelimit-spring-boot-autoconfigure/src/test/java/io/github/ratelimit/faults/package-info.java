/**
 * What the limiter does while Redis or the way to it fails, with real servers, and how
 * long it takes. Each test is a row of the table of promises.
 */
@NullMarked
package io.github.ratelimit.faults;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the permits that calls hold.
 */
@NullMarked
package io.github.ratelimit.concurrency;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the limiter and its policies.
 */
@NullMarked
package io.github.ratelimit;

import org.jspecify.annotations.NullMarked;

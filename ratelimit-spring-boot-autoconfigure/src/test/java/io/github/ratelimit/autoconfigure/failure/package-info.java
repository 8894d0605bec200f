/**
 * Tests of the analyses of failures to start.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.failure;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the wiring.
 */
@NullMarked
package io.github.ratelimit.gateway.autoconfigure;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the limits in STOMP.
 */
@NullMarked
package io.github.ratelimit.spring.stomp;

import org.jspecify.annotations.NullMarked;

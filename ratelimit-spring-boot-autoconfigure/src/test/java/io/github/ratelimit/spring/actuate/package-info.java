/**
 * Tests of the limiter in Actuator.
 */
@NullMarked
package io.github.ratelimit.spring.actuate;

import org.jspecify.annotations.NullMarked;

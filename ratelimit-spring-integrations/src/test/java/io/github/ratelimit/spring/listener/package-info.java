/**
 * Tests of the pauses of message listeners.
 */
@NullMarked
package io.github.ratelimit.spring.listener;

import org.jspecify.annotations.NullMarked;

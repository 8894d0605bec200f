/**
 * The users of tests that call services directly: those of Spring Security's context.
 */
@NullMarked
package io.github.ratelimit.test.user;

import org.jspecify.annotations.NullMarked;

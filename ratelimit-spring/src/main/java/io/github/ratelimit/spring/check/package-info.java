/**
 * Checks of an application that has started, which find likely mistakes in its use of
 * rate limits. Only the wiring uses them.
 */
@NullMarked
package io.github.ratelimit.spring.check;

import org.jspecify.annotations.NullMarked;

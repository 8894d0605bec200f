/**
 * Reservations that leave the process that made them, and return as tokens.
 */
@NullMarked
package io.github.ratelimit.detached;

import org.jspecify.annotations.NullMarked;

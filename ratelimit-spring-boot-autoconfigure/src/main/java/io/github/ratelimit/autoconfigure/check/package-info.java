/**
 * The wiring of checks, which find likely mistakes in the use of rate limits.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.check;

import org.jspecify.annotations.NullMarked;

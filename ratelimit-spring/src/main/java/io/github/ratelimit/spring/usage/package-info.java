/**
 * The limits of a caller and what is left of them, for the caller: nothing is charged.
 */
@NullMarked
package io.github.ratelimit.spring.usage;

import org.jspecify.annotations.NullMarked;

/**
 * Keeps what an application says of single callers' limits at hand.
 */
@NullMarked
package io.github.ratelimit.spring.override;

import org.jspecify.annotations.NullMarked;

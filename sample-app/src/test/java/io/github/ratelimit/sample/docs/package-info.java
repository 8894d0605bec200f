/**
 * The code that the documentation shows. What carries a stereotype also carries the
 * profile {@code docs}, so that no scan of the sample's packages finds it.
 */
@NullMarked
package io.github.ratelimit.sample.docs;

import org.jspecify.annotations.NullMarked;

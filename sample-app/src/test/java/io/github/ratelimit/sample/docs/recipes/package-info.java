/**
 * The code of the recipes in the documentation, and the tests that run it. What carries a
 * stereotype also carries the profile {@code docs}, so that no scan of the sample's
 * packages finds it.
 */
@NullMarked
package io.github.ratelimit.sample.docs.recipes;

import org.jspecify.annotations.NullMarked;

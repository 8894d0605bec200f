/**
 * The code of the migration pages in the documentation, and the test that replaces
 * another limiter. What carries a stereotype also carries the profile {@code docs}, so
 * that no scan of the sample's packages finds it.
 */
@NullMarked
package io.github.ratelimit.sample.docs.migration;

import org.jspecify.annotations.NullMarked;

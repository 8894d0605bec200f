/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.policy;

import org.jspecify.annotations.NullMarked;

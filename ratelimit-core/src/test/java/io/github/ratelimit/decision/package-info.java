/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.decision;

import org.jspecify.annotations.NullMarked;

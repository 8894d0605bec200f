/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.detached;

import org.jspecify.annotations.NullMarked;

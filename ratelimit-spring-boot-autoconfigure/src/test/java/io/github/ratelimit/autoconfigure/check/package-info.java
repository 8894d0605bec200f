/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.check;

import org.jspecify.annotations.NullMarked;

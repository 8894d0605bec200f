/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.store;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.store.memory;

import org.jspecify.annotations.NullMarked;

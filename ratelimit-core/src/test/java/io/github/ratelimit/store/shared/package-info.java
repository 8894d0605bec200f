/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.store.shared;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;

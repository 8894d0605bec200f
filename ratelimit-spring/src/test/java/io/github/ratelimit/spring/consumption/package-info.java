/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.spring.consumption;

import org.jspecify.annotations.NullMarked;

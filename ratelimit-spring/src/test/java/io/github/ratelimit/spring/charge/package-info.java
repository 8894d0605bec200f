/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.spring.charge;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of how the packages below stand to one another.
 */
@NullMarked
package io.github.ratelimit.spring;

import org.jspecify.annotations.NullMarked;

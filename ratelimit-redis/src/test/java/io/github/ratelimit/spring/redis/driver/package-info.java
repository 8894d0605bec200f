/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.spring.redis.driver;

import org.jspecify.annotations.NullMarked;

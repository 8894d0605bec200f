/**
 * Tests of the cache of overrides.
 */
@NullMarked
package io.github.ratelimit.spring.override;

import org.jspecify.annotations.NullMarked;

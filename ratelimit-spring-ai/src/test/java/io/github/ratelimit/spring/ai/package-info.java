/**
 * Tests of limits for calls of language models.
 */
@NullMarked
package io.github.ratelimit.spring.ai;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the wiring of limits for calls of language models.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.ai;

import org.jspecify.annotations.NullMarked;

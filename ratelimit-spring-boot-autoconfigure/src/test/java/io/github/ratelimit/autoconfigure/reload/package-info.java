/**
 * Tests of configuration that changes while the application runs.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.reload;

import org.jspecify.annotations.NullMarked;

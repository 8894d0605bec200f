/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.integration;

import org.jspecify.annotations.NullMarked;

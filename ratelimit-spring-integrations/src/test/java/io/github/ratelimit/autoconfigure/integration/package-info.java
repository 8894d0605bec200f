/**
 * Tests of the package of the same name.
 * Tests of the wiring of integrations.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.integration;

import org.jspecify.annotations.NullMarked;

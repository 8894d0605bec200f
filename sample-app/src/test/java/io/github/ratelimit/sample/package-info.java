/**
 * The sample's end-to-end tests, and the tests of what the documentation says.
 */
@NullMarked
package io.github.ratelimit.sample;

import org.jspecify.annotations.NullMarked;

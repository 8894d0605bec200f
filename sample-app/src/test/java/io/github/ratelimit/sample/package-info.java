/**
 * The end-to-end tests: the sample as its users meet it.
 */
@NullMarked
package io.github.ratelimit.sample;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the live page: over HTTP, and in a browser.
 */
@NullMarked
package io.github.ratelimit.sample.live;

import org.jspecify.annotations.NullMarked;

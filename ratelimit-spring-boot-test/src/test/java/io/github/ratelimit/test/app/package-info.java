/**
 * An application whose limits the tests test.
 */
@NullMarked
package io.github.ratelimit.test.app;

import org.jspecify.annotations.NullMarked;

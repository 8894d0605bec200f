/**
 * Tests of the package of the same name.
 */
@NullMarked
package io.github.ratelimit.http;

import org.jspecify.annotations.NullMarked;

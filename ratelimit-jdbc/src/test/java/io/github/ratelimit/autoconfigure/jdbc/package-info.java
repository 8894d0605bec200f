/** Tests of the wiring. */
@NullMarked
package io.github.ratelimit.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;

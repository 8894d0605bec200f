/**
 * Tests of addresses, and of who a client is.
 */
@NullMarked
package io.github.ratelimit.key;

import org.jspecify.annotations.NullMarked;

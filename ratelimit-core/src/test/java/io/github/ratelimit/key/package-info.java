/**
 * Tests of addresses and client addresses.
 */
@NullMarked
package io.github.ratelimit.key;

import org.jspecify.annotations.NullMarked;

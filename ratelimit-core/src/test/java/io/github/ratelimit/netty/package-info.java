/**
 * Finds buffers of Netty that tests of any module do not release.
 */
@NullMarked
package io.github.ratelimit.netty;

import org.jspecify.annotations.NullMarked;

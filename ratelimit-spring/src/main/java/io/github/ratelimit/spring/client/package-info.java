/**
 * Limits for the calls of an application to upstreams. A call waits for its permits and
 * for the pauses that the upstream demands.
 */
@NullMarked
package io.github.ratelimit.spring.client;

import org.jspecify.annotations.NullMarked;

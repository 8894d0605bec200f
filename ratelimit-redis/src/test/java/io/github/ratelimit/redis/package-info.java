/** Redis servers, networks and folders for tests. */
@NullMarked
package io.github.ratelimit.redis;

import org.jspecify.annotations.NullMarked;

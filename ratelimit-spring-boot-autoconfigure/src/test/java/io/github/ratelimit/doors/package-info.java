/**
 * Calls that end at any moment, at each way into an application.
 */
@NullMarked
package io.github.ratelimit.doors;

import org.jspecify.annotations.NullMarked;

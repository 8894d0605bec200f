/**
 * The policy model: named sets of limits, their callers and their options.
 */
@NullMarked
package io.github.ratelimit.policy;

import org.jspecify.annotations.NullMarked;

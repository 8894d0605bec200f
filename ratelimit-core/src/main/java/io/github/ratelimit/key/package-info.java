/**
 * The keys and plans of callers, resolved from the context of a call.
 */
@NullMarked
package io.github.ratelimit.key;

import org.jspecify.annotations.NullMarked;

/**
 * Analyzers of failures to start, which name the property or annotation and the fix.
 */
@NullMarked
package io.github.ratelimit.autoconfigure.failure;

import org.jspecify.annotations.NullMarked;

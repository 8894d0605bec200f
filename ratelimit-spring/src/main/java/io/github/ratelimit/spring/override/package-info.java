/** A cache for the limits that single callers have of their own. */
@NullMarked
package io.github.ratelimit.spring.override;

import org.jspecify.annotations.NullMarked;

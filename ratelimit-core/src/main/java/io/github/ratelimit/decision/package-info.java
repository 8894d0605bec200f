/**
 * The decision on a call, as a value: allowed or denied, with the state of every limit.
 */
@NullMarked
package io.github.ratelimit.decision;

import org.jspecify.annotations.NullMarked;

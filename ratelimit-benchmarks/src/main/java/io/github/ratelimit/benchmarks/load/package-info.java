/**
 * What limiters on Redis do under load, all in one run: several ways to limit, callers
 * that keep them busy, and what was measured meanwhile.
 */
@NullMarked
package io.github.ratelimit.benchmarks.load;

import org.jspecify.annotations.NullMarked;

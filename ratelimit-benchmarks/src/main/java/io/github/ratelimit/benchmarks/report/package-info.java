/**
 * Tables and pictures of what was measured or predicted, on the console and in the page
 * on performance.
 */
@NullMarked
package io.github.ratelimit.benchmarks.report;

import org.jspecify.annotations.NullMarked;

/**
 * Tables and pictures of what was measured, on the console and in the pages that have a
 * place for them.
 */
@NullMarked
package io.github.ratelimit.benchmarks.report;

import org.jspecify.annotations.NullMarked;

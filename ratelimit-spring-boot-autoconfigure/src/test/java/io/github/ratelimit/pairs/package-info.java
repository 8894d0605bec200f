/**
 * Tests of all pairs of features: a covering array of small applications, and a model
 * that predicts from the documentation what their callers and operators see.
 */
@NullMarked
package io.github.ratelimit.pairs;

import org.jspecify.annotations.NullMarked;

/**
 * The live page: calls that a visitor sends to one limit, and the stream of decisions
 * that her browser draws.
 */
@NullMarked
package io.github.ratelimit.sample.live;

import org.jspecify.annotations.NullMarked;

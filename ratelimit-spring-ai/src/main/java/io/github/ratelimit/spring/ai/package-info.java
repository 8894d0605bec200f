/**
 * Limits for the calls of language models through Spring AI. Advisors of a
 * {@code ChatClient} charge requests, tokens and money in one decision, and adjust them
 * to what a call used.
 */
@NullMarked
package io.github.ratelimit.spring.ai;

import org.jspecify.annotations.NullMarked;

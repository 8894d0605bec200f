/**
 * The pauses of message listeners whose calls a policy denies, for any broker.
 */
@NullMarked
package io.github.ratelimit.spring.listener;

import org.jspecify.annotations.NullMarked;

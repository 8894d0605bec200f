/**
 * Limits of STOMP messages over WebSocket, by session and user.
 */
@NullMarked
package io.github.ratelimit.spring.stomp;

import org.jspecify.annotations.NullMarked;

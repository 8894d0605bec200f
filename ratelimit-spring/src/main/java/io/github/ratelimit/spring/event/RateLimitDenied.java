package io.github.ratelimit.spring.event;

import io.github.ratelimit.decision.LimitDecision;

/**
 * An application event: a call was denied. It is published at most once per key and
 * {@code ratelimit.events.interval}, on the thread that received the decision.
 *
 * @param policy the policy's name
 * @param key the key that was denied, such as {@code principal:alice}
 * @param limit the limit without room, and when it has room again
 */
public record RateLimitDenied(String policy, String key, LimitDecision limit) {

}

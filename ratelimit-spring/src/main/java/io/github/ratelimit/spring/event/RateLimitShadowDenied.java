package io.github.ratelimit.spring.event;

import io.github.ratelimit.decision.LimitDecision;

/**
 * An application event: a call was admitted, but would have been denied if a limit were
 * not in shadow. It is published at most once per key and
 * {@code ratelimit.events.interval}, on the thread that received the decision.
 *
 * @param policy the policy's name
 * @param key the key that would have been denied, such as {@code principal:alice}
 * @param limit the limit in shadow without room, and when it has room again
 */
public record RateLimitShadowDenied(String policy, String key, LimitDecision limit) {

}

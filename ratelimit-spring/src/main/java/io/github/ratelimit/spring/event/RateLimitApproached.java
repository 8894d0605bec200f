package io.github.ratelimit.spring.event;

import io.github.ratelimit.decision.LimitDecision;

/**
 * An application event: a call was admitted, but its key has used a large part of a
 * limit, as {@code ratelimit.near-limit} says. It is published once for a key and
 * threshold until the limit has reset, and at most once per
 * {@code ratelimit.events.interval}, on the thread that received the decision.
 *
 * @param policy the policy's name
 * @param key the key, such as {@code principal:alice}
 * @param limit the limit and what is left of it
 * @param threshold the part of the limit that was reached, in percent
 */
public record RateLimitApproached(String policy, String key, LimitDecision limit, int threshold) {

}

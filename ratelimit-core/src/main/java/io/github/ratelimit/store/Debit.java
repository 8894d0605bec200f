package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.algorithm.Limit;

/**
 * A charge as a store sees it, its policy resolved to limits. A count is kept for each
 * policy, key and position of a limit in its policy.
 *
 * @param policy the policy's name
 * @param limits the limits to charge, each of which can admit the cost
 * @param key who is charged, of any length and content
 * @param cost permits to charge to each limit, at least 0; 0 asks without charging
 */
public record Debit(String policy, List<Limit> limits, String key, long cost) {
}

package io.github.ratelimit.spring.client;

/**
 * Whom calls go to, as far as limits tell upstreams apart.
 *
 * @param policy the name of the policy that the calls are kept under
 * @param key who is charged
 */
record Upstream(String policy, String key) {

}

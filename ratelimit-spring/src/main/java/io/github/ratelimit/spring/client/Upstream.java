package io.github.ratelimit.spring.client;

/**
 * A destination of calls, as far as limits distinguish them.
 *
 * @param policy the name of the policy of the calls
 * @param key the key that they are charged to
 */
record Upstream(String policy, String key) {

}

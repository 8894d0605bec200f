package io.github.ratelimit.policy;

/**
 * A key of a policy, as far as limits distinguish callers and destinations of calls.
 *
 * @param policy the policy's name
 * @param key the key, such as {@code principal:alice}
 */
public record Subject(String policy, String key) {

}

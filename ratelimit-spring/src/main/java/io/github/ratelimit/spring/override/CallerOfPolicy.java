package io.github.ratelimit.spring.override;

/**
 * A caller that a policy limits.
 *
 * @param policy the policy's name
 * @param key the caller's key in that policy
 */
record CallerOfPolicy(String policy, String key) {

}

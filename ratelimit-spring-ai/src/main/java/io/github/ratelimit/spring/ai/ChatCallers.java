package io.github.ratelimit.spring.ai;

import java.util.Map;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;

/**
 * The callers for whom models are called, and their keys.
 *
 * @param keys creates the resolvers of keys
 * @param current the callers
 */
public record ChatCallers(KeyResolvers keys, Callers current) {

	private static final String PLACE = "the calls of language models";

	/** Returns a policy with its resolvers, which may use some variables of calls. */
	PolicyKey key(Policy policy, Map<String, Class<?>> types) {
		return this.keys.of(policy, policy.keys(), this.keys.scope().withVariables(types), PLACE);
	}

}

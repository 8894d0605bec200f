package io.github.ratelimit.spring.key;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.expression.ExpressionScope;

/**
 * The policies that calls of one kind charge by name, each resolved once until policies
 * change. Thread-safe.
 */
public final class PolicyKeys {

	private final Policies policies;

	private final KeyResolvers keys;

	private final ExpressionScope scope;

	private final String place;

	private volatile Known known;

	/**
	 * Creates the policies.
	 * @param policies the policies that calls may name
	 * @param keys creates the key resolvers of policies
	 * @param scope the names that expressions of policies may use
	 * @param place the calls that charge the policies, for the log
	 */
	public PolicyKeys(Policies policies, KeyResolvers keys, ExpressionScope scope, String place) {
		this.policies = policies;
		this.keys = keys;
		this.scope = scope;
		this.place = place;
		this.known = new Known(policies.edition(), new ConcurrentHashMap<>());
	}

	/**
	 * Returns the same for other policies, to check what may replace those in effect.
	 * @param policies the policies that calls may name
	 * @return the policies by name
	 */
	public PolicyKeys by(Policies policies) {
		return new PolicyKeys(policies, this.keys, this.scope, this.place);
	}

	/**
	 * Returns a policy with the resolvers of its callers.
	 * @param name the policy's name
	 * @return the policy as it is in effect
	 * @throws IllegalArgumentException if there is no such policy
	 */
	public PolicyKey get(String name) {
		return known().computeIfAbsent(name, this::key);
	}

	/** Returns the policies of the current edition. */
	@SuppressWarnings("ReferenceEquality") // the same edition, not an equal one
	private Map<String, PolicyKey> known() {
		Known known = this.known;
		Object edition = this.policies.edition();
		if (known.edition() != edition) {
			known = new Known(edition, new ConcurrentHashMap<>());
			this.known = known;
		}
		return known.byName();
	}

	private PolicyKey key(String name) {
		Policy policy = this.policies.get(name);
		return this.keys.of(policy, policy.keys(), this.scope, this.place);
	}

	/** The policies of an edition. */
	private record Known(Object edition, Map<String, PolicyKey> byName) {

	}

}

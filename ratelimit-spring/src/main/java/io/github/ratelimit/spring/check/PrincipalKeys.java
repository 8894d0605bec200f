package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;

/**
 * A check for policies that need the user of a request where none is known: before Spring
 * Security, or without it.
 *
 * @param policies supplies the policies
 * @param rules supplies the rules
 * @param isSecured whether the application has Spring Security
 */
public record PrincipalKeys(Supplier<Collection<Policy>> policies, Supplier<List<RateLimitRule>> rules,
		boolean isSecured) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.isSecured ? beforeSecurity() : withoutSecurity();
	}

	private Stream<Finding> beforeSecurity() {
		return this.rules.get()
			.stream()
			.filter((rule) -> rule.phase() == Phase.BEFORE_SECURITY)
			.flatMap((rule) -> rule.keys().stream())
			.map(PolicyKey::policy)
			.filter(PrincipalKeys::needsUser)
			.map((policy) -> new Finding(Kind.PRINCIPAL_BEFORE_SECURITY, policy.name(),
					"A rule with 'phase: before-security' charges the policy '" + policy.name() + "', whose key is '"
							+ lastKey(policy) + "'. There is no user yet. Use 'after-security', or a key that is "
							+ "there, such as 'client-ip'."));
	}

	private Stream<Finding> withoutSecurity() {
		return this.policies.get()
			.stream()
			.filter(PrincipalKeys::needsUser)
			.map((policy) -> new Finding(Kind.PRINCIPAL_WITHOUT_SECURITY, policy.name(), "The key of the policy '"
					+ policy.name() + "' is '" + lastKey(policy)
					+ "', but the application has no Spring Security. Unless the server or a filter sets the user, "
					+ "no call has this key."));
	}

	/** Returns whether a call without a user has no key. */
	private static boolean needsUser(Policy policy) {
		return KeyResolvers.needsUser(lastKey(policy));
	}

	private static String lastKey(Policy policy) {
		return policy.keys().get(policy.keys().size() - 1);
	}

}

package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;

/**
 * A check for policies that nothing uses.
 *
 * @param policies the names of the configured policies
 * @param used supplies the names of the policies that are used
 */
public record UnusedPolicies(Collection<String> policies, Supplier<Set<String>> used) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		Set<String> used = this.used.get();
		return this.policies.stream()
			.filter((policy) -> !used.contains(policy))
			.map((policy) -> new Finding(Kind.UNUSED_POLICY, policy,
					"Nothing uses the policy '" + policy
							+ "': no @RateLimited, no rule, no route of a gateway and no other property names it, "
							+ "and no bean has the RateLimiter or limited clients. Use it or remove it."));
	}

}

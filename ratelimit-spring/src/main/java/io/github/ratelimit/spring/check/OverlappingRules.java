package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.key.PolicyKey;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.RateLimitRule;

/**
 * A check for policies that a request charges twice: by a rule and by an annotation.
 *
 * @param methods the limited methods
 * @param rules supplies the rules
 * @param endpoints supplies the endpoints
 */
public record OverlappingRules(RateLimitedMethods methods, Supplier<List<RateLimitRule>> rules,
		Supplier<List<Endpoint>> endpoints) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		if (this.rules.get().isEmpty()) {
			return Stream.empty();
		}
		return this.endpoints.get()
			.stream()
			.flatMap((endpoint) -> Stream.ofNullable(this.methods.find(endpoint.method(), endpoint.type()))
				.flatMap((method) -> findings(endpoint, method)));
	}

	private Stream<Finding> findings(Endpoint endpoint, RateLimitedMethod method) {
		return this.rules.get()
			.stream()
			.filter(endpoint::isLimitedBy)
			.flatMap((rule) -> rule.keys().stream())
			.map(PolicyKey::policy)
			.filter((policy) -> method.keysOf(policy.name()).contains(policy.keys()))
			.map(Policy::name)
			.distinct()
			.map((policy) -> new Finding(Kind.POLICY_CHARGED_TWICE, method.name(),
					"A request for '" + endpoint.path() + "' charges the policy '" + policy
							+ "' twice: by a rule, and by " + "the annotation of " + method.name()
							+ ". Remove one of them."));
	}

}

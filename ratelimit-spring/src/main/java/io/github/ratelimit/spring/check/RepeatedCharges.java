package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;

/**
 * A check for policies that annotations of a method and its class charge twice by the
 * same key.
 *
 * @param methods the limited methods
 */
public record RepeatedCharges(RateLimitedMethods methods) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.methods.all().flatMap(RepeatedCharges::findings);
	}

	private static Stream<Finding> findings(RateLimitedMethod method) {
		return method.policies()
			.stream()
			.distinct()
			.filter((policy) -> isRepeated(method.keysOf(policy)))
			.map((policy) -> new Finding(Kind.POLICY_CHARGED_TWICE, method.name(), "A call of " + method.name()
					+ " charges the policy '" + policy + "' twice by the same key. Remove one of the annotations."));
	}

	private static boolean isRepeated(List<List<String>> keys) {
		return keys.size() > Set.copyOf(keys).size();
	}

}

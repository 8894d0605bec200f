package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethods;

/**
 * A check for penalties of policies that know no callers: the key of everyone is never
 * banned.
 *
 * @param policies the names of the policies that have a penalty and only that key
 * @param methods the limited methods, which may have other keys
 * @param isUsedByCode whether code may charge policies by other keys
 */
public record IdlePenalties(Collection<String> policies, RateLimitedMethods methods,
		BooleanSupplier isUsedByCode) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.isUsedByCode.getAsBoolean() ? Stream.empty()
				: this.policies.stream().filter((policy) -> !hasOtherKey(policy)).map(IdlePenalties::finding);
	}

	private boolean hasOtherKey(String policy) {
		return this.methods.all()
			.flatMap((method) -> method.keysOf(policy).stream())
			.flatMap(Collection::stream)
			.anyMatch((word) -> !word.equals(Policy.EVERYONE));
	}

	private static Finding finding(String policy) {
		return new Finding(Kind.PENALTY_WITHOUT_CALLER, policy,
				"The policy '" + policy + "' has a penalty, but its key is '" + Policy.EVERYONE
						+ "', which is never banned. Set a key, such as 'client-ip', or remove the penalty.");
	}

}

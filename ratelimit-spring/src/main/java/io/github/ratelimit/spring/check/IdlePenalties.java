package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.Map;
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
 * @param words the words for the keys of each policy that has a penalty, by its name
 * @param methods the limited methods, which may have other keys
 * @param isUsedByCode whether code may charge policies by other keys
 */
public record IdlePenalties(Map<String, List<String>> words, RateLimitedMethods methods,
		BooleanSupplier isUsedByCode) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.isUsedByCode.getAsBoolean() ? Stream.empty()
				: this.words.keySet().stream().filter((policy) -> !hasOtherKey(policy)).map(IdlePenalties::finding);
	}

	private boolean hasOtherKey(String policy) {
		return Stream
			.concat(this.words.getOrDefault(policy, List.of()).stream(),
					this.methods.all().flatMap((method) -> method.keysOf(policy).stream()).flatMap(List::stream))
			.anyMatch((word) -> !word.equals(Policy.EVERYONE));
	}

	private static Finding finding(String policy) {
		return new Finding(Kind.PENALTY_WITHOUT_CALLER, policy,
				"The policy '" + policy + "' has a penalty, but its key is '" + Policy.EVERYONE
						+ "', which is never banned. Set a key, such as 'client-ip', or remove the penalty.");
	}

}

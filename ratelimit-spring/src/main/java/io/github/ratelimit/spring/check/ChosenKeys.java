package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.method.RateLimitedMethods;

/**
 * A check for penalties that ban by keys which a client may be able to choose.
 *
 * @param words the words for the keys of each policy that has a penalty, by its name
 * @param methods the limited methods, which may have other keys
 * @param keys tells whether a client may choose the keys of words
 */
public record ChosenKeys(Map<String, List<String>> words, RateLimitedMethods methods,
		KeyResolvers keys) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.words.keySet().stream().flatMap((policy) -> finding(policy, chosen(policy)));
	}

	private List<String> chosen(String policy) {
		return Stream
			.concat(this.words.getOrDefault(policy, List.of()).stream(),
					this.methods.all().flatMap((method) -> method.keysOf(policy).stream()).flatMap(List::stream))
			.filter(this.keys::mayBeChosen)
			.distinct()
			.toList();
	}

	private static Stream<Finding> finding(String policy, List<String> chosen) {
		return chosen.isEmpty() ? Stream.empty()
				: Stream.of(new Finding(Kind.PENALTY_BY_CHOSEN_KEY, policy,
						"The penalty of the policy '" + policy + "' bans keys by " + chosen
								+ ". If a client can choose such a key, it can have another caller banned."));
	}

}

package io.github.ratelimit.spring.ai;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The policies that every call of a model charges, all in one decision.
 *
 * @param requests the names of policies that count calls, one permit each
 * @param tokens the names of policies that count tokens, those of prompt and completion
 * @param cost the names of policies that count money, in millionths of the currency of
 * the prices
 */
public record ChatPolicies(List<String> requests, List<String> tokens, List<String> cost) {

	/**
	 * Creates the policies of a call.
	 * @param requests the names of policies that count calls
	 * @param tokens the names of policies that count tokens
	 * @param cost the names of policies that count money
	 * @throws IllegalArgumentException if a policy is named twice
	 */
	public ChatPolicies {
		requests = List.copyOf(requests);
		tokens = List.copyOf(tokens);
		cost = List.copyOf(cost);
		Set<String> names = new HashSet<>();
		Stream.of(requests, tokens, cost)
			.flatMap(List::stream)
			.filter((name) -> !names.add(name))
			.findFirst()
			.ifPresent((name) -> {
				throw new IllegalArgumentException(
						"the policy '" + name + "' is named twice, but counts either requests, tokens or cost");
			});
	}

	/**
	 * Returns the names of all policies.
	 * @return the names, in the order in which they are charged
	 */
	public List<String> all() {
		return Stream.of(this.requests, this.tokens, this.cost).flatMap(List::stream).toList();
	}

}

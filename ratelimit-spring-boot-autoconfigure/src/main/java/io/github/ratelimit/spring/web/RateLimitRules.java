package io.github.ratelimit.spring.web;

import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;

/**
 * The rules of an application. All that match a request apply.
 */
public final class RateLimitRules {

	private final List<RateLimitRule> rules;

	/**
	 * Rules.
	 * @param rules in any order
	 */
	public RateLimitRules(List<RateLimitRule> rules) {
		this.rules = List.copyOf(rules);
	}

	boolean has(Phase phase) {
		for (RateLimitRule rule : this.rules) {
			if (rule.phase() == phase) {
				return true;
			}
		}
		return false;
	}

	/** What a request is charged in a phase, in the order of the rules. */
	List<Charge> charges(Phase phase, RuleRequest request) {
		return this.rules.stream()
			.filter((rule) -> rule.phase() == phase && rule.matches(request))
			.flatMap((rule) -> rule.charges().apply(request.caller()).stream())
			.toList();
	}

}

package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.key.KnownKeys;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * The rules of an application. All rules that match a request apply. Thread-safe.
 */
public final class RateLimitRules implements KnownKeys {

	private volatile List<RateLimitRule> rules = List.of();

	private volatile boolean measuresResponses;

	private final Function<@Nullable ApplicationContext, ReservedPaths> reserved;

	/**
	 * Creates rules.
	 * @param rules the rules in any order
	 * @param reserved returns the reserved paths on the server of an application context
	 */
	public RateLimitRules(List<RateLimitRule> rules, Function<@Nullable ApplicationContext, ReservedPaths> reserved) {
		this.reserved = reserved;
		replaceAll(rules);
	}

	/**
	 * Replaces all rules as one change.
	 * @param rules the rules in any order
	 */
	public void replaceAll(List<RateLimitRule> rules) {
		this.measuresResponses = rules.stream().anyMatch(RateLimitRule::measuresResponse);
		this.rules = List.copyOf(rules);
	}

	/**
	 * Returns all rules in their order.
	 * @return the rules
	 */
	public List<RateLimitRule> all() {
		return this.rules;
	}

	@Override
	public Stream<String> words(String policy) {
		return this.rules.stream()
			.flatMap((rule) -> rule.keys().stream())
			.filter((key) -> key.policy().name().equals(policy))
			.flatMap((key) -> key.policy().keys().stream());
	}

	/**
	 * Returns whether a rule charges by the size of the response.
	 * @return whether responses have to be measured
	 */
	public boolean measuresResponses() {
		return this.measuresResponses;
	}

	/**
	 * Returns whether there is a rule of a phase.
	 * @param phase the phase
	 * @return whether there is one
	 */
	public boolean has(Phase phase) {
		for (RateLimitRule rule : this.rules) {
			if (rule.phase() == phase) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the rules of a phase that a request matches, in their order.
	 * @param phase the phase
	 * @param request the request
	 * @return the rules
	 */
	public List<RateLimitRule> matching(Phase phase, RuleRequest request) {
		return matching(request, (rule) -> rule.phase() == phase);
	}

	/**
	 * Returns the rules of all phases that a request matches, in their order.
	 * @param request the request
	 * @return the rules
	 */
	public List<RateLimitRule> matching(RuleRequest request) {
		return matching(request, (rule) -> true);
	}

	/**
	 * Returns the charges of rules for a request.
	 * @param rules the rules
	 * @param request the request
	 * @return the charges in the order of the rules
	 */
	public static CallCharges charges(List<RateLimitRule> rules, RuleRequest request) {
		if (rules.isEmpty()) {
			return CallCharges.NONE;
		}
		CallCharges.Builder charges = new CallCharges.Builder();
		rules.forEach((rule) -> rule.charge(request, charges));
		return charges.ofRequest();
	}

	private List<RateLimitRule> matching(RuleRequest request, Predicate<RateLimitRule> eligible) {
		ReservedPaths reserved = this.reserved.apply(request.server());
		boolean isReserved = request.isWithin(reserved.paths());
		List<RateLimitRule> matching = new ArrayList<>();
		for (RateLimitRule rule : this.rules) {
			if (eligible.test(rule)
					&& rule.matches(request, (pattern) -> !isReserved || reserved.areNamedBy(pattern))) {
				matching.add(rule);
			}
		}
		return matching;
	}

}

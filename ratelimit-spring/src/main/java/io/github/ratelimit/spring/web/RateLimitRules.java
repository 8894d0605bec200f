package io.github.ratelimit.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.key.KnownKeys;
import io.github.ratelimit.spring.web.RateLimitRule.Mismatch;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * The rules of an application. All rules that match a request apply. Thread-safe.
 */
public final class RateLimitRules implements KnownKeys {

	private volatile RuleCandidates candidates;

	private final Function<@Nullable ApplicationContext, ReservedPaths> reserved;

	/**
	 * Creates rules.
	 * @param rules the rules in any order
	 * @param reserved returns the reserved paths on the server of an application context
	 */
	public RateLimitRules(List<RateLimitRule> rules, Function<@Nullable ApplicationContext, ReservedPaths> reserved) {
		this.reserved = reserved;
		this.candidates = new RuleCandidates(rules, reserved);
	}

	/**
	 * Replaces all rules as one change.
	 * @param rules the rules in any order
	 */
	public void replaceAll(List<RateLimitRule> rules) {
		this.candidates = new RuleCandidates(rules, this.reserved);
	}

	/**
	 * Returns all rules in their order.
	 * @return the rules
	 */
	public List<RateLimitRule> all() {
		return this.candidates.all();
	}

	@Override
	public Stream<String> words(String policy) {
		return all().stream()
			.flatMap((rule) -> rule.keys().stream())
			.filter((key) -> key.policy().name().equals(policy))
			.flatMap((key) -> key.policy().keys().stream());
	}

	/**
	 * Returns whether a rule charges by the size of the response.
	 * @return whether responses have to be measured
	 */
	public boolean measuresResponses() {
		return this.candidates.measureResponses();
	}

	/**
	 * Returns whether a rule has a field of a form as its key.
	 * @return whether bodies of some requests have to be read
	 */
	public boolean readsForms() {
		return this.candidates.readForms();
	}

	/**
	 * Returns whether the path and method of a request match a rule of any phase that has
	 * a field of a form as its key.
	 * @param request the request
	 * @return whether its body has to be read
	 */
	public boolean readsForm(RuleRequest request) {
		return this.candidates.of(request).stream().anyMatch(RateLimitRule::readsForm);
	}

	/**
	 * Returns whether there is a rule of a phase.
	 * @param phase the phase
	 * @return whether there is one
	 */
	public boolean has(Phase phase) {
		return isAnyOf(phase, this.candidates.all());
	}

	private static boolean isAnyOf(Phase phase, List<RateLimitRule> rules) {
		for (int i = 0; i < rules.size(); i++) {
			if (rules.get(i).phase() == phase) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns whether the path and method of a request match a rule of a phase,
	 * regardless of its caller.
	 * @param phase the phase
	 * @param request the request
	 * @return whether there is a rule with its path and method
	 */
	public boolean mayMatch(Phase phase, RuleRequest request) {
		return isAnyOf(phase, this.candidates.of(request));
	}

	/**
	 * Returns the rules of a phase that a request matches, in their order.
	 * @param phase the phase
	 * @param request the request
	 * @return the rules
	 */
	public List<RateLimitRule> matching(Phase phase, RuleRequest request) {
		return eligible(this.candidates.of(request), phase, request);
	}

	/**
	 * Returns the rules of all phases that a request matches, in their order.
	 * @param request the request
	 * @return the rules
	 */
	public List<RateLimitRule> matching(RuleRequest request) {
		return eligible(this.candidates.of(request), null, request);
	}

	/**
	 * Returns why a rule does not apply to a request.
	 * @param rule one of the rules
	 * @param request the request
	 * @return the reason, or {@code null} if it applies
	 */
	public @Nullable Mismatch mismatch(RateLimitRule rule, RuleRequest request) {
		return this.candidates.mismatch(rule, request);
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

	private static List<RateLimitRule> eligible(List<RateLimitRule> candidates, @Nullable Phase phase,
			RuleRequest request) {
		int size = candidates.size();
		List<RateLimitRule> eligible = new ArrayList<>(size);
		for (int i = 0; i < size; i++) {
			RateLimitRule rule = candidates.get(i);
			if ((phase == null || rule.phase() == phase) && rule.hasCondition(request)) {
				eligible.add(rule);
			}
		}
		return (eligible.size() == size) ? candidates : eligible;
	}

}

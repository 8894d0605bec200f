package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.store.Debit;

/**
 * The scripts of all combinations of rules that calls have needed so far, which are few.
 */
final class DecisionScripts {

	private final Map<String, DecisionScript> ofOneRule = new ConcurrentHashMap<>();

	private final Map<Set<String>, DecisionScript> ofSeveral = new ConcurrentHashMap<>();

	DecisionScript of(List<Debit> debits) {
		String rule = onlyRule(debits);
		if (rule.isEmpty()) {
			return this.ofSeveral.computeIfAbsent(formulas(debits).map(Formula::rule).collect(Collectors.toSet()),
					(missing) -> DecisionScript.of(formulas(debits).toList()));
		}
		DecisionScript known = this.ofOneRule.get(rule);
		return (known != null) ? known
				: this.ofOneRule.computeIfAbsent(rule, (missing) -> DecisionScript.of(formulas(debits).toList()));
	}

	/** Empty where there are several, or none. */
	private static String onlyRule(List<Debit> debits) {
		String only = "";
		for (int i = 0; i < debits.size(); i++) {
			String rule = debits.get(i).clause().limit().formula().rule();
			if (!only.isEmpty() && !only.equals(rule)) {
				return "";
			}
			only = rule;
		}
		return only;
	}

	private static Stream<Formula> formulas(List<Debit> debits) {
		return debits.stream().map((debit) -> debit.clause().limit().formula());
	}

}

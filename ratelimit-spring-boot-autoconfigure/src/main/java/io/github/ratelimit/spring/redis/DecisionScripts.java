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

	private final Map<String, DecisionScript> ofOneLimit = new ConcurrentHashMap<>();

	private final Map<List<String>, DecisionScript> ofFewLimits = new ConcurrentHashMap<>();

	private final Map<Set<String>, DecisionScript> ofSeveral = new ConcurrentHashMap<>();

	/**
	 * The script for calls that ask the same.
	 * @param debits what each of them asks
	 * @param calls how many there are
	 */
	DecisionScript of(List<Debit> debits, long calls) {
		if (calls > 1 || debits.isEmpty() || debits.size() > ScriptText.FEW) {
			return this.ofSeveral.computeIfAbsent(formulas(debits).map(Formula::rule).collect(Collectors.toSet()),
					(missing) -> DecisionScript.ofSeveral(formulas(debits).toList()));
		}
		if (debits.size() > 1) {
			return this.ofFewLimits.computeIfAbsent(formulas(debits).map(Formula::rule).toList(),
					(missing) -> DecisionScript.ofOneCall(formulas(debits).toList()));
		}
		String rule = debits.get(0).clause().limit().formula().rule();
		DecisionScript known = this.ofOneLimit.get(rule);
		return (known != null) ? known : this.ofOneLimit.computeIfAbsent(rule,
				(missing) -> DecisionScript.ofOneCall(formulas(debits).toList()));
	}

	private static Stream<Formula> formulas(List<Debit> debits) {
		return debits.stream().map((debit) -> debit.clause().limit().formula());
	}

}

package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.store.Debit;

/**
 * The scripts of all combinations of rules that calls have needed so far, which are few.
 */
final class DecisionScripts {

	private final Map<List<String>, DecisionScript> ofOneCall = new ConcurrentHashMap<>();

	private final Map<List<String>, DecisionScript> ofSeveral = new ConcurrentHashMap<>();

	/**
	 * The script for calls that ask the same.
	 * @param debits what each of them asks
	 * @param calls how many there are
	 */
	DecisionScript of(List<Debit> debits, long calls) {
		boolean isOneCallOfFew = calls == 1 && !debits.isEmpty() && debits.size() <= ScriptText.FEW;
		Map<List<String>, DecisionScript> scripts = isOneCallOfFew ? this.ofOneCall : this.ofSeveral;
		List<String> rules = rules(debits);
		DecisionScript known = scripts.get(rules);
		return (known != null) ? known : scripts.computeIfAbsent(rules, (missing) -> isOneCallOfFew
				? DecisionScript.ofOneCall(formulas(debits)) : DecisionScript.ofSeveral(formulas(debits)));
	}

	private static List<String> rules(List<Debit> debits) {
		return (debits.size() == 1) ? List.of(formula(debits.get(0)).rule())
				: debits.stream().map((debit) -> formula(debit).rule()).toList();
	}

	private static List<Formula> formulas(List<Debit> debits) {
		return debits.stream().map(DecisionScripts::formula).toList();
	}

	private static Formula formula(Debit debit) {
		return debit.clause().limit().formula();
	}

}

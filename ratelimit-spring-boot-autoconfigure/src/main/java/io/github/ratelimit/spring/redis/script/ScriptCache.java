package io.github.ratelimit.spring.redis.script;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.store.PermitRequest;

/** A cache of the scripts for all combinations of rules so far, which are few. */
final class ScriptCache {

	private final Map<List<String>, DecisionScript> single = new ConcurrentHashMap<>();

	private final Map<List<String>, DecisionScript> several = new ConcurrentHashMap<>();

	/**
	 * Returns the script for equal requests.
	 * @param permits the permits of each of them
	 * @param requests the number of requests
	 */
	DecisionScript get(List<PermitRequest> permits, long requests) {
		boolean isSingle = requests == 1 && !permits.isEmpty() && permits.size() <= ScriptAssembler.FEW;
		Map<List<String>, DecisionScript> scripts = isSingle ? this.single : this.several;
		List<String> rules = rules(permits);
		DecisionScript cached = scripts.get(rules);
		return (cached != null) ? cached : scripts.computeIfAbsent(rules, (missing) -> isSingle
				? DecisionScript.ofOne(formulas(permits)) : DecisionScript.ofSeveral(formulas(permits)));
	}

	private static List<String> rules(List<PermitRequest> permits) {
		return (permits.size() == 1) ? List.of(formula(permits.get(0)).rule())
				: permits.stream().map((permit) -> formula(permit).rule()).toList();
	}

	private static List<Formula> formulas(List<PermitRequest> permits) {
		return permits.stream().map(ScriptCache::formula).toList();
	}

	private static Formula formula(PermitRequest permit) {
		return permit.limit().formula();
	}

}

package io.github.ratelimit.spring.redis.script;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.store.PermitRequest;
import org.jspecify.annotations.Nullable;

/**
 * A script that decides one request, or several equal ones.
 *
 * @param rules the names of the rules, in the order of their numbers in the script
 * @param text the script
 * @param sha1 the SHA-1 of the text, by which Redis caches it
 * @param oneByOne the script that decides a batch of such requests one by one, if there
 * is one
 */
public record DecisionScript(List<String> rules, String text, String sha1, @Nullable DecisionScript oneByOne) {

	/** Returns the script for one request with few limits. */
	public static DecisionScript ofOne(List<Formula> formulas) {
		List<String> rules = formulas.stream().map(Formula::rule).toList();
		List<String> lua = formulas.stream().map(Formula::lua).toList();
		return of(rules, ScriptAssembler.ofOne(lua), of(rules, ScriptAssembler.ofOneByOne(lua), null));
	}

	/** Returns the script for all requests whose limits have these rules. */
	public static DecisionScript ofSeveral(List<Formula> formulas) {
		Map<String, String> rules = new TreeMap<>();
		formulas.forEach((formula) -> rules.computeIfAbsent(formula.rule(), (missing) -> formula.lua()));
		return of(List.copyOf(rules.keySet()), ScriptAssembler.ofSeveral(List.copyOf(rules.values())), null);
	}

	private static DecisionScript of(List<String> rules, String text, @Nullable DecisionScript oneByOne) {
		return new DecisionScript(rules, text, sha1(text), oneByOne);
	}

	/** Returns the text as Redis reads it. */
	public byte[] bytes() {
		return this.text.getBytes(StandardCharsets.US_ASCII);
	}

	/** Returns the number of a rule in the script. */
	int number(String rule) {
		return 1 + this.rules.indexOf(rule);
	}

	private static String sha1(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.US_ASCII));
			return HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A cache of the scripts for all combinations of rules so far, which are few. */
	static final class Cache {

		private final Map<Object, DecisionScript> single = new ConcurrentHashMap<>();

		private final Map<Object, DecisionScript> several = new ConcurrentHashMap<>();

		/**
		 * Returns the script for equal requests.
		 * @param permits the permits of each of them
		 * @param requests the number of requests
		 */
		DecisionScript get(List<PermitRequest> permits, long requests) {
			boolean isSingle = requests == 1 && !permits.isEmpty() && permits.size() <= ScriptAssembler.FEW;
			Map<Object, DecisionScript> scripts = isSingle ? this.single : this.several;
			Object rules = rules(permits);
			DecisionScript cached = scripts.get(rules);
			return (cached != null) ? cached : scripts.computeIfAbsent(rules, (missing) -> isSingle
					? DecisionScript.ofOne(formulas(permits)) : DecisionScript.ofSeveral(formulas(permits)));
		}

		/**
		 * Returns the rules as a key: of one limit its rule, as a list would be garbage.
		 */
		private static Object rules(List<PermitRequest> permits) {
			return (permits.size() == 1) ? formula(permits.get(0)).rule()
					: permits.stream().map((permit) -> formula(permit).rule()).toList();
		}

		private static List<Formula> formulas(List<PermitRequest> permits) {
			return permits.stream().map(Cache::formula).toList();
		}

		private static Formula formula(PermitRequest permit) {
			return permit.limit().formula();
		}

	}

}

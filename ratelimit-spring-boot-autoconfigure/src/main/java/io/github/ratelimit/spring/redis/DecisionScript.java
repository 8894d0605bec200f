package io.github.ratelimit.spring.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.ratelimit.algorithm.Formula;
import org.jspecify.annotations.Nullable;

/**
 * The script that decides a call, or several calls that ask the same.
 *
 * @param rules the names of the rules, in the order in which the script knows them
 * @param text the script
 * @param sha1 the name that Redis caches it under
 * @param oneByOne the script that decides on several such calls, one after the other, if
 * there is one
 */
record DecisionScript(List<String> rules, String text, String sha1, @Nullable DecisionScript oneByOne) {

	/** The script for one call, of few limits. */
	static DecisionScript ofOneCall(List<Formula> formulas) {
		List<String> rules = formulas.stream().map(Formula::rule).toList();
		List<String> lua = formulas.stream().map(Formula::lua).toList();
		return of(rules, ScriptText.ofOneCall(lua), of(rules, ScriptText.ofOneByOne(lua), null));
	}

	/** The script for all calls whose limits have these rules. */
	static DecisionScript ofSeveral(List<Formula> formulas) {
		Map<String, String> rules = new TreeMap<>();
		formulas.forEach((formula) -> rules.computeIfAbsent(formula.rule(), (missing) -> formula.lua()));
		return of(List.copyOf(rules.keySet()), ScriptText.ofSeveral(List.copyOf(rules.values())), null);
	}

	private static DecisionScript of(List<String> rules, String text, @Nullable DecisionScript oneByOne) {
		return new DecisionScript(rules, text, sha1(text), oneByOne);
	}

	byte[] bytes() {
		return this.text.getBytes(StandardCharsets.US_ASCII);
	}

	/** By which the script knows a rule. */
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

}

package io.github.ratelimit.spring.redis.script;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.algorithm.Rule;
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
	public static DecisionScript ofOne(List<Rule> rules) {
		List<String> names = rules.stream().map(Rule::name).toList();
		List<String> lua = rules.stream().map(Rule::lua).toList();
		return of(names, ScriptAssembler.ofOne(lua), of(names, ScriptAssembler.ofOneByOne(lua), null));
	}

	/** Returns the script for all requests whose limits have these rules. */
	public static DecisionScript ofSeveral(List<Rule> rules) {
		Map<String, String> lua = new TreeMap<>();
		rules.forEach((rule) -> lua.computeIfAbsent(rule.name(), (missing) -> rule.lua()));
		return of(List.copyOf(lua.keySet()), ScriptAssembler.ofSeveral(List.copyOf(lua.values())), null);
	}

	/** Returns a script that decides nothing, and is complete in a file. */
	static DecisionScript ofFile(String name) {
		return of(List.of(), ScriptAssembler.file(name), null);
	}

	/** Returns the script that executes such requests once for a detached charge. */
	DecisionScript settling() {
		return of(this.rules, ScriptAssembler.settling(this.text), null);
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
			Object key = key(permits);
			DecisionScript cached = scripts.get(key);
			return (cached != null) ? cached : scripts.computeIfAbsent(key, (missing) -> isSingle
					? DecisionScript.ofOne(rules(permits)) : DecisionScript.ofSeveral(rules(permits)));
		}

		/**
		 * Returns the names of the rules: of one limit its name, as a list would be
		 * garbage.
		 */
		private static Object key(List<PermitRequest> permits) {
			return (permits.size() == 1) ? rule(permits.get(0)).name()
					: permits.stream().map((permit) -> rule(permit).name()).toList();
		}

		private static List<Rule> rules(List<PermitRequest> permits) {
			return permits.stream().map(Cache::rule).toList();
		}

		private static Rule rule(PermitRequest permit) {
			return permit.limit().formula().rule();
		}

	}

}

package io.github.ratelimit.spring.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.ratelimit.algorithm.Formula;

import org.springframework.util.StreamUtils;

/**
 * The script that decides a call: the rules of its algorithms within one driver.
 *
 * @param rules the names of the rules, in the order in which the script numbers them
 * @param text the script
 * @param sha1 the name that Redis caches it under
 */
record DecisionScript(List<String> rules, String text, String sha1) {

	/** The file of the driver, beside this class. */
	private static final String DRIVER = "decide.lua";

	private static final String PLACE_OF_RULES = "--RULES--";

	static DecisionScript of(Collection<Formula> formulas) {
		Map<String, String> rules = new TreeMap<>();
		formulas.forEach((formula) -> rules.computeIfAbsent(formula.rule(), (missing) -> block(formula.lua())));
		String text = driver().replace(PLACE_OF_RULES, rules.values().stream().collect(Collectors.joining("\n")));
		return new DecisionScript(List.copyOf(rules.keySet()), text, sha1(text));
	}

	byte[] bytes() {
		return this.text.getBytes(StandardCharsets.US_ASCII);
	}

	/** By which the script knows a rule. */
	int number(String rule) {
		return 1 + this.rules.indexOf(rule);
	}

	private static String block(String rule) {
		return "do\n" + rule + "end\n";
	}

	private static String driver() {
		try (InputStream in = DecisionScript.class.getResourceAsStream(DRIVER)) {
			return StreamUtils.copyToString(in, StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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

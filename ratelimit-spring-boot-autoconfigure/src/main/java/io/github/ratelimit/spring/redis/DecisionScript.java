package io.github.ratelimit.spring.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.stream.Collectors;

import io.github.ratelimit.algorithm.Formula;

import org.springframework.util.StreamUtils;

/**
 * The script that decides a call: the rules of its algorithms within one driver.
 *
 * @param text the script
 * @param sha1 the name that Redis caches it under
 */
record DecisionScript(String text, String sha1) {

	/** The file of the driver, beside this class. */
	private static final String DRIVER = "decide.lua";

	private static final String PLACE_OF_RULES = "--RULES--";

	static DecisionScript of(Collection<Formula> formulas) {
		String rules = formulas.stream()
			.map(Formula::lua)
			.distinct()
			.sorted()
			.map(DecisionScript::block)
			.collect(Collectors.joining("\n"));
		String text = driver().replace(PLACE_OF_RULES, rules);
		return new DecisionScript(text, Digests.sha1Hex(text));
	}

	byte[] bytes() {
		return this.text.getBytes(StandardCharsets.US_ASCII);
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

}

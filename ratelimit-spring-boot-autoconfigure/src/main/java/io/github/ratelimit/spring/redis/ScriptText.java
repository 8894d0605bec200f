package io.github.ratelimit.spring.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.springframework.util.StreamUtils;

/**
 * Puts a script together from the files beside this class and the rules of algorithms,
 * each of which names variables and has four parts.
 */
final class ScriptText {

	/**
	 * Up to so many limits, the variables of all are fewer than the 200 that Lua allows.
	 */
	static final int FEW = 3;

	/** The places for the parts of rules. */
	private static final List<String> PARTS = List.of("--READ--\n", "--LOAD--\n", "--GIVE BACK--\n", "--SETTLE--\n");

	private static final Pattern PART = Pattern.compile(String.join("|", PARTS));

	private static final String LIMIT = "--LIMIT--\n";

	private ScriptText() {
	}

	/**
	 * The script for one call.
	 * @param rules of its limits, {@value #FEW} at most
	 */
	static String ofOneCall(List<String> rules) {
		return ofFew(file("one-call.lua"), rules);
	}

	/** The script for calls, each of which has limits with these few rules. */
	static String ofOneByOne(List<String> rules) {
		return ofFew(file("one-by-one.lua"), rules);
	}

	/** The script for several calls or any limits, which numbers the rules from 1 on. */
	static String ofSeveral(List<String> rules) {
		return decide(file("several.lua").replace(LIMIT, limit(rules, "if i < #KEYS then decide(i + 1) end\n",
				"said = struct.pack('<ddd', left, wait, reset) .. said\n")));
	}

	private static String ofFew(String calls, List<String> rules) {
		String told = IntStream.range(0, rules.size()).mapToObj(ScriptText::told).collect(Collectors.joining(", "));
		return decide(calls.replace("--TOLD--", told)
			.replace("--FORMAT--", "ddd".repeat(rules.size()))
			.replace("--COUNT--", String.valueOf(rules.size()))
			.replace(LIMIT, from(0, rules)));
	}

	private static String decide(String limits) {
		return file("decide.lua").replace("--LIMITS--\n", limits);
	}

	private static String from(int index, List<String> rules) {
		return (index == rules.size()) ? "" : "do\nlocal i = before + " + (index + 1) + "\n"
				+ limit(List.of(rules.get(index)), from(index + 1, rules), told(index) + " = left, wait, reset\n")
				+ "end\n";
	}

	private static String told(int index) {
		return "left_%1$d, wait_%1$d, reset_%1$d".formatted(index);
	}

	private static String limit(List<String> rules, String following, String tell) {
		List<String[]> parts = rules.stream().map((rule) -> PART.split(rule, -1)).toList();
		String names = parts.stream().map((ofRule) -> ofRule[0]).collect(Collectors.joining());
		String limit = file("limit.lua").replace("--NAMES--\n", names);
		for (int part = 1; part <= PARTS.size(); part++) {
			limit = limit.replace(PARTS.get(part - 1), ofEach(part, parts));
		}
		return limit.replace("--FOLLOWING--\n", following).replace("--TELL--\n", tell);
	}

	private static String ofEach(int part, List<String[]> rules) {
		return switch (rules.size()) {
			case 0 -> "";
			case 1 -> "do\n" + rules.get(0)[part] + "end\n";
			default -> IntStream.range(0, rules.size())
				.mapToObj((rule) -> "if number == " + (rule + 1) + " then\n" + rules.get(rule)[part])
				.collect(Collectors.joining("else", "", "end\n"));
		};
	}

	private static String file(String name) {
		try (InputStream in = ScriptText.class.getResourceAsStream(name)) {
			return StreamUtils.copyToString(in, StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

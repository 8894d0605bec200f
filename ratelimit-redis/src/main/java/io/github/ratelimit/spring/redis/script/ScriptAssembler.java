package io.github.ratelimit.spring.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Rule;

import org.springframework.util.StreamUtils;

/**
 * An assembler of scripts from the files next to this class and the rules of algorithms.
 * A rule declares variables and has four parts.
 */
public final class ScriptAssembler {

	/**
	 * The most limits whose variables are fewer than the 200 that Lua allows, when each
	 * limit has its own.
	 */
	public static final int FEW = 3;

	/** The placeholders for the parts of rules. */
	private static final List<String> PARTS = List.of("--READ--\n", "--LOAD--\n", "--REFUND--\n", "--WRITE--\n");

	private static final Pattern PART = Pattern.compile(String.join("|", PARTS));

	private static final String LIMIT = "--LIMIT--\n";

	/** The first line after it is known that a request can be decided at its time. */
	private static final String TIMELY = "if operation == 'RESET'";

	/** The letters of all rules, as a limit may find the state of any. */
	private static final String LETTERS = Stream.of(Algorithm.values())
		.map(Algorithm::rule)
		.map(Rule::letters)
		.distinct()
		.collect(Collectors.joining());

	private ScriptAssembler() {
	}

	/**
	 * Returns the script for one request.
	 * @param rules the rules of its limits, {@value #FEW} at most
	 */
	static String ofOne(List<String> rules) {
		return ofFew(file("one-request.lua"), rules);
	}

	/**
	 * Returns the script for requests one by one, whose limits have the same few rules.
	 */
	static String ofOneByOne(List<String> rules) {
		return ofFew(file("one-by-one.lua"), rules);
	}

	/**
	 * Returns the script for several equal requests or any number of limits. It numbers
	 * the rules from 1 on.
	 */
	static String ofSeveral(List<String> rules) {
		return decide(file("several.lua").replace(LIMIT, limit(rules, "if i < #KEYS then decide(i + 1) end\n",
				"results = struct.pack('<ddd', left, wait, reset) .. results\n")));
	}

	/**
	 * Returns the script that corrects counts once for a detached charge, whose key
	 * follows theirs.
	 * @param decision the script that decides such requests, without a condition
	 */
	static String settling(String decision) {
		return decision.replace("#KEYS", "(#KEYS - 1)").replace(TIMELY, file("detached-settle.lua") + TIMELY);
	}

	private static String ofFew(String script, List<String> rules) {
		String results = IntStream.range(0, rules.size())
			.mapToObj(ScriptAssembler::results)
			.collect(Collectors.joining(", "));
		return decide(script.replace("--RESULTS--", results)
			.replace("--FORMAT--", "ddd".repeat(rules.size()))
			.replace("--COUNT--", String.valueOf(rules.size()))
			.replace(LIMIT, nested(0, rules)));
	}

	private static String decide(String limits) {
		return file("decide.lua").replace("--LIMITS--\n", limits);
	}

	/** Returns the limits from an index on, each nested in the one before it. */
	private static String nested(int index, List<String> rules) {
		return (index == rules.size()) ? "" : "do\nlocal i = before + " + (index + 1) + "\n"
				+ limit(List.of(rules.get(index)), nested(index + 1, rules), results(index) + " = left, wait, reset\n")
				+ "end\n";
	}

	private static String results(int index) {
		return "left_%1$d, wait_%1$d, reset_%1$d".formatted(index);
	}

	private static String limit(List<String> rules, String following, String reply) {
		List<String[]> parts = rules.stream().map((rule) -> PART.split(rule, -1)).toList();
		String names = parts.stream().map((rule) -> rule[0]).collect(Collectors.joining());
		String limit = file("limit.lua").replace("--LETTERS--", LETTERS).replace("--NAMES--\n", names);
		for (int part = 1; part <= PARTS.size(); part++) {
			limit = limit.replace(PARTS.get(part - 1), select(part, parts));
		}
		return limit.replace("--FOLLOWING--\n", following).replace("--REPLY--\n", reply);
	}

	/**
	 * Returns a part of a limit: that of its only rule, or a choice by the number of the
	 * rule.
	 */
	private static String select(int part, List<String[]> rules) {
		return switch (rules.size()) {
			case 0 -> "";
			case 1 -> "do\n" + rules.get(0)[part] + "end\n";
			default -> IntStream.range(0, rules.size())
				.mapToObj((rule) -> "if number == " + (rule + 1) + " then\n" + rules.get(rule)[part])
				.collect(Collectors.joining("else", "", "end\n"));
		};
	}

	/** Returns the text of a file next to this class. */
	static String file(String name) {
		try (InputStream in = ScriptAssembler.class.getResourceAsStream(name)) {
			return StreamUtils.copyToString(in, StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

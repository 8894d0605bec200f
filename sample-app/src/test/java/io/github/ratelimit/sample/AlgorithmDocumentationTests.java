package io.github.ratelimit.sample;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the pages that list algorithms to the constants of {@link Algorithm}, and to what
 * these declare.
 */
class AlgorithmDocumentationTests {

	private static final String POLICY = "ratelimit.policies.<name>.";

	private static final Pattern CODE = Pattern.compile("`([a-z-]+)`");

	private static final Markdown ALGORITHMS = page("docs/algorithms.md");

	@ParameterizedTest
	@EnumSource
	void hasASectionForEveryAlgorithm(Algorithm algorithm) {
		assertThat(ALGORITHMS.anchors()).as("docs/algorithms.md lacks a section for '%s'", algorithm.id())
			.contains(algorithm.id());
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.algorithm.Algorithm#rates")
	void comparesEveryAlgorithm(Algorithm algorithm) {
		for (String section : List.of("Choose an algorithm", "At the edge of a window")) {
			assertThat(ALGORITHMS.section(section).text().lines())
				.as("docs/algorithms.md lacks a row for '%s' in the table of '%s'", algorithm.id(), section)
				.anyMatch((line) -> line.startsWith("| `" + algorithm.id() + "`"));
		}
	}

	@Test
	void listsTheLettersOfEveryRuleAndNoOther() {
		String letters = page("ARCHITECTURE.md").section("Scripts")
			.text()
			.lines()
			.filter((line) -> line.startsWith("| 0 |"))
			.findFirst()
			.orElseThrow();
		assertThat(code(letters)).as("letters in the table 'Values in Redis' of ARCHITECTURE.md")
			.containsExactlyInAnyOrderElementsOf(Stream.of(Algorithm.values())
				.map(Algorithm::rule)
				.distinct()
				.flatMap((rule) -> Stream.of(rule.letters().split("")))
				.toList());
	}

	@Test
	void suggestsEveryAlgorithmToEditors() {
		assertThat(KnownProperties.hints(POLICY + "algorithm")).as("hints for %salgorithm", POLICY)
			.containsExactlyElementsOf(Algorithm.rates().map(Algorithm::id).toList());
	}

	@Test
	void listsEveryAlgorithmForPolicies() {
		assertThatCellHas("algorithm", 2, Algorithm.rates());
	}

	@Test
	void listsTheAlgorithmsThatHaveABurst() {
		assertThatCellHas("burst", 2, Algorithm.rates().filter(Algorithm::hasBurst));
		assertThatCellHas("burst", 1,
				Algorithm.rates().filter(Algorithm::hasBurst).filter((algorithm) -> limit(algorithm).burst() != 10));
	}

	@Test
	void listsTheAlgorithmsWhosePermitsCanBePrefetched() {
		assertThatCellHas("prefetch", 2,
				Algorithm.rates().filter((algorithm) -> limit(algorithm).formula().isPrefetchable()));
	}

	private static void assertThatCellHas(String property, int cell, Stream<Algorithm> algorithms) {
		List<String> row = page("docs/configuration.md").properties()
			.stream()
			.filter((cells) -> cells.get(0).equals(POLICY + property))
			.findFirst()
			.orElseThrow();
		assertThat(code(row.get(cell))).as("algorithms in docs/configuration.md, '%s%s'", POLICY, property)
			.containsExactlyInAnyOrderElementsOf(algorithms.map(Algorithm::id).toList());
	}

	private static Limit limit(Algorithm algorithm) {
		return Limit.of(algorithm, Rate.parse("10/1s"));
	}

	private static List<String> code(String text) {
		return CODE.matcher(text).results().map((code) -> code.group(1)).toList();
	}

	private static Markdown page(String name) {
		return Markdown.read(Markdown.root().resolve(name));
	}

}

package io.github.ratelimit.algorithm;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the rules of all algorithms. */
class RuleTests {

	private static final Pattern LETTER = Pattern.compile("'([a-z])'");

	@ParameterizedTest
	@EnumSource
	void isThatOfTheFormulas(Algorithm algorithm) {
		assertThat(Limit.of(algorithm, Rate.parse("1/1s")).formula().rule()).isEqualTo(algorithm.rule());
	}

	@ParameterizedTest
	@EnumSource
	void hasALuaFormOfPlainAscii(Algorithm algorithm) {
		assertThat(algorithm.rule().lua()).contains("--READ--", "--LOAD--", "--REFUND--", "--WRITE--").isASCII();
	}

	@ParameterizedTest
	@EnumSource
	void storesEveryLetterThatItDeclaresAndNoOther(Algorithm algorithm) {
		Rule rule = algorithm.rule();
		List<String> stored = LETTER.matcher(rule.lua())
			.results()
			.map((MatchResult letter) -> letter.group(1))
			.distinct()
			.toList();
		assertThat(stored).as("letters in %s.lua, of which its Rule declares '%s'", rule.name(), rule.letters())
			.containsExactlyInAnyOrder(rule.letters().split(""));
		assertThat(rule.lua()).doesNotContain("LETTERS");
	}

	@Test
	void sharesNoLetterWithAnother() {
		assertThat(Stream.of(Algorithm.values())
			.map(Algorithm::rule)
			.distinct()
			.flatMap((rule) -> Stream.of(rule.letters().split("")))).as("letters of all rules").doesNotHaveDuplicates();
	}

}

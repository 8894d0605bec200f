package io.github.ratelimit.key;

import java.text.Collator;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TypedNameTests {

	@ParameterizedTest
	@ValueSource(strings = { "alice", "ALICE", " Alice\t", "\u00C1l\u00ECc\u00E9", "al\u0301ice", "al\u200Bice",
			"al\u200Dice", "\u0001alice\u0000", "\u00A0alice", "al ice", "al-ice", "\uFF41\uFF2C\uFF49ce", "\u24D0lice",
			"\uD835\uDC1Alice", "a\u0142ice", "al\u0131ce", "\u0363lice", "al\u00ADice", "\uFEFFalice",
			"al\u0308ice\u2062", "al\u202Eice", "a\u0140ice" })
	void sharesTheNameOfAllSpellings(String spelling) {
		assertThat(TypedName.of(spelling)).isEqualTo("alice");
	}

	@ParameterizedTest
	@CsvSource({ "alice@example.org, alice@example.org", "a.b_c+d, a.b_c+d", "Stra\u00DFe, strase", "STRASSE, strase",
			"\u1E9E, s", "\u00C6r\u00F8, aero", "\u0153uvre, oeuvre", "\u00F0, d", "\u0661\u0662, 12", "\u246A, 11",
			"\u039C\u03B1\u03C1\u03AF\u03B1\u03C2, \u03BC\u03B1\u03C1\u03B1\u03C3",
			"\u0419\u043E\u0436, \u0438\u043E\u0436", "\u0928\u093F\u0924\u093F\u0928, \u0928\u0924\u0928",
			"\uD83D\uDE00, \uFFFD", "\u1F80, \u03B1" })
	void hasAFoldedName(String typed, String name) {
		assertThat(TypedName.of(typed)).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\u200B", "\u0000\u0301\u00A0-", "\uD800" })
	void hasNoNameOfNothing(String typed) {
		assertThat(TypedName.of(typed)).isEmpty();
	}

	@Test
	void hasTheFirst256CharactersThatCount() {
		assertThat(TypedName.of("\u0301\u200B".repeat(100_000) + "x".repeat(300))).isEqualTo("x".repeat(256));
	}

	@Test
	void isItsOwnName() {
		assertThat(IntStream.rangeClosed(0, Character.MAX_VALUE)
			.mapToObj((character) -> TypedName.of(Character.toString(character)))
			.filter((name) -> !TypedName.of(name).equals(name))).isEmpty();
	}

	/** The collator with which H2 compares, for example. */
	@Test
	void sharesTheNameOfWhatACollatorOfLettersAloneFindsEqual() {
		Collator collator = Collator.getInstance(Locale.ENGLISH);
		collator.setStrength(Collator.PRIMARY);
		Map<String, Set<String>> names = new TreeMap<>();
		IntStream.rangeClosed(0, Character.MAX_VALUE)
			.filter((character) -> !Character.isSurrogate((char) character))
			.mapToObj(Character::toString)
			.forEach((character) -> names
				.computeIfAbsent(Arrays.toString(collator.getCollationKey(character).toByteArray()),
						(any) -> new TreeSet<>())
				.add(TypedName.of(character)));
		assertThat(names.values()).hasSizeGreaterThan(10_000).filteredOn((equal) -> equal.size() > 1).isEmpty();
	}

}

package io.github.ratelimit.key;

import java.text.Collator;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

class TypedNameTests {

	private static final List<String> LETTERS = List.of("s", "\u00DF", "S", "ss", "\u017F", "\uFB06", "st", "t", "h",
			"\u00FE", "th", "\u00E6", "a", "e", "\u00E4", "o", "\u0153", "\u00F8", "i", "j", "\u0133", "f", "\uFB00",
			"l", "d", "\u00F0");

	@ParameterizedTest
	@ValueSource(strings = { "alice", "ALICE", " Alice\t", "\u00C1l\u00ECc\u00E9", "al\u0301ice", "al\u200Bice",
			"al\u200Dice", "\u0001alice\u0000", "\u00A0alice", "al ice", "al-ice", "\uFF41\uFF2C\uFF49ce", "\u24D0lice",
			"\uD835\uDC1Alice", "a\u0142ice", "al\u0131ce", "\u0363lice", "al\u00ADice", "\uFEFFalice",
			"al\u0308ice\u2062", "al\u202Eice", "a\u0140ice", "al\u0640ice", "\u06DEalice", "al\u1CF2\uFE73ice",
			"\uA79Bl\u1DA6\uA7F2e", "al\u3164ice" })
	void sharesTheNameOfAllSpellings(String spelling) {
		assertThat(TypedName.of(spelling)).isEqualTo("alice");
	}

	@ParameterizedTest
	@CsvSource({ "alice@example.org, alice@example.org", "a.b_c+d, a.b_c+d", "Stra\u00DFe, strase", "STRASSE, strase",
			"\u1E9E, s", "\u00C6r\u00F8, aero", "\u0153uvre, oeuvre", "\u00F0, d", "\u0661\u0662, 12", "\u246A, 11",
			"\u039C\u03B1\u03C1\u03AF\u03B1\u03C2, \u03BC\u03B1\u03C1\u03B1\u03C3",
			"\u0419\u043E\u0436, \u0438\u043E\u0436", "\u0928\u093F\u0924\u093F\u0928, \u0928\u0924\u0928",
			"\uD83D\uDE00, \uFFFD", "\u1F80, \u03B1", "\u00DFs, s", "sss, s", "\u00DE\u00F3r, thor",
			"\u0490\u2DE0, \u0433\u0431", "\u30AC\uFF67\u30FC, \u304B\u3042", "\u05DB\u05DA, \u05DB\u05DB",
			"\u06E5, \u0648", "\u0F2A\u0F33\u00BD\u09F7, 10124", "a\u2192b, ab" })
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

	@Test
	void looksAtManyCharactersThatDoNotCountInLittleTime() {
		String marks = "\u0301".repeat(400_000) + "\u0640\u06DE".repeat(100_000);
		assertTimeout(Duration.ofMillis(500), () -> TypedName.of(marks));
	}

	/** The collator with which H2 compares, for example. */
	@Test
	void sharesTheNameOfWhatACollatorOfLettersAloneFindsEqual() {
		assertThat(namesOfEqual(IntStream.rangeClosed(0, Character.MAX_VALUE)
			.filter((character) -> !Character.isSurrogate((char) character))
			.mapToObj(Character::toString))).hasSizeGreaterThan(10_000)
			.filteredOn((names) -> names.size() > 1)
			.isEmpty();
	}

	/** Compares texts of letters that are equal to others, or to two others. */
	@Test
	void sharesTheNameOfTextsThatACollatorFindsEqual() {
		Random random = new Random(1);
		assertThat(namesOfEqual(Stream
			.generate(() -> random.ints(1 + random.nextInt(5), 0, LETTERS.size())
				.mapToObj(LETTERS::get)
				.collect(Collectors.joining()))
			.limit(100_000))).hasSizeGreaterThan(10_000).filteredOn((names) -> names.size() > 1).isEmpty();
	}

	private static Collection<Set<String>> namesOfEqual(Stream<String> texts) {
		Collator collator = Collator.getInstance(Locale.ENGLISH);
		collator.setStrength(Collator.PRIMARY);
		Map<String, Set<String>> names = new TreeMap<>();
		texts.forEach((text) -> names
			.computeIfAbsent(Arrays.toString(collator.getCollationKey(text).toByteArray()), (any) -> new TreeSet<>())
			.add(TypedName.of(text)));
		return names.values();
	}

}

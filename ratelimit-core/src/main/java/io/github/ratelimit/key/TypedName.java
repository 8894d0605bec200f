package io.github.ratelimit.key;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names that people type, such as those of accounts and addresses of mail. User
 * tables and directories find one entry by many spellings of its name, each by others.
 */
public final class TypedName {

	/** The characters of a name that count, as clients choose its length. */
	private static final int LONGEST = 256;

	/** The characters that may count, of which some do not after their decomposition. */
	private static final int MOST_LOOKED_AT = 8192;

	/** The Unicode name of a Latin letter or two, such as that of an o with a stroke. */
	private static final Pattern LATIN = Pattern
		.compile("(?:.* )?LATIN (?:.*? )?(?:VOLAPUK ([AOU])E|([A-Z]{1,2}|ETH|THORN))(?: .*)?");

	/** The parts of a Unicode name without which it is that of an equal letter. */
	private static final Pattern VARIANT = Pattern.compile(" WITH .*|COMBINING (?=LATIN|CYRILLIC)|(?<=LETTER )"
			+ "(?:SMALL|FINAL|HIGH|LOW|CROSSED|MULTIOCULAR|BINOCULAR|DOUBLE MONOCULAR|MONOCULAR|DOUBLE) ");

	/** A sharp s is one s in some collations, and two in others. */
	private static final Pattern SHARP_S = Pattern.compile("ss+");

	private static final int LAST_OF_ASCII = 0x7F;

	/** Stands for all characters that narrow columns of text cannot distinguish. */
	private static final String WIDE = "\uFFFD";

	/** Characters, each with what some read it as: nothing, other letters, a digit. */
	private static final Map<Integer, String> OTHERS = Stream
		.of("\u03B9", "\uFE73", "\u1CF2", "\u1CF3", "\u115F", "\u1160", WIDE + WIDE, "\u01BEts", "\u06E5\u0648",
				"\u06E6\u064A", "\u09F41", "\u09F52", "\u09F63", "\u09F74", "\u0F2A1", "\u0F2B2", "\u0F2C3", "\u0F2D4",
				"\u0F2E5", "\u0F2F6", "\u0F307", "\u0F318", "\u0F329", "\u0F330", "\u1ACCg", "\u1ACDr", "\u1ACEt",
				"\uA7C0a", "\uA7C1a", "\uA7D8s", "\uA7D9s", "\uA7F2c", "\uA7F3f", "\uA7F4q")
		.collect(Collectors.toMap((pair) -> pair.codePointAt(0), (pair) -> pair.substring(1)));

	private TypedName() {
	}

	/**
	 * Returns the one spelling of a name that its spellings share, as far as databases
	 * and directories ignore the difference by default: in lower case and full
	 * compatibility decomposition (NFKD), without accents and other marks, spaces,
	 * hyphens, symbols outside of ASCII, control and invisible characters.
	 * @param typed the name as typed; its first 256 characters of the others count
	 * @return the spelling under which the name counts; empty if nothing is left
	 */
	public static String of(String typed) {
		StringBuilder kept = new StringBuilder();
		typed.codePoints().filter(TypedName::counts).limit(MOST_LOOKED_AT).forEach(kept::appendCodePoint);
		String name = Normalizer.normalize(kept, Form.NFKD)
			.codePoints()
			.filter(TypedName::counts)
			.mapToObj(TypedName::folded)
			.filter((characters) -> !characters.isEmpty())
			.limit(LONGEST)
			.collect(Collectors.joining());
		return SHARP_S.matcher(name).replaceAll("s");
	}

	private static boolean counts(int character) {
		return (character > LAST_OF_ASCII && OTHERS.containsKey(character)) || switch (Character.getType(character)) {
			case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
				isLetter(character);
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED -> false;
			case Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.DASH_PUNCTUATION ->
				false;
			default -> true;
		};
	}

	/** Returns whether a mark is a Latin or Cyrillic letter above another. */
	private static boolean isLetter(int mark) {
		return (mark >= 0x363 && mark <= 0x36F) || (mark >= 0x1ABF && mark <= 0x1AC0) || mark == 0x1DCA
				|| (mark >= 0x1DD3 && mark <= 0x1DF4) || (mark >= 0x2DE0 && mark <= 0x2DFF)
				|| (mark >= 0xA674 && mark <= 0xA67B) || (mark >= 0xA69E && mark <= 0xA69F);
	}

	/**
	 * Looks up only names of characters that count, as each lookup takes microseconds.
	 */
	private static String folded(int character) {
		int lower = Character.toLowerCase(Character.toUpperCase(character));
		if (lower <= LAST_OF_ASCII) {
			return Character.toString(lower);
		}
		String other = OTHERS.get(lower);
		if (other != null) {
			return other;
		}
		boolean isNamed = isLetter(lower)
				|| (Character.isLetter(lower) && Character.getType(lower) != Character.MODIFIER_LETTER);
		return (isNamed && Character.isBmpCodePoint(lower)) ? named(lower) : number(lower);
	}

	/** Returns the letter of which another is a variant by its name, or the same. */
	private static String named(int letter) {
		String name = String.valueOf(Character.getName(letter));
		Matcher latin = LATIN.matcher(name);
		if (latin.matches()) {
			return latin((latin.group(1) != null) ? latin.group(1) : latin.group(2));
		}
		String base = VARIANT.matcher(name)
			.replaceAll("")
			.replace("KATAKANA", "HIRAGANA")
			.replace("CYRILLIC LETTER", "CYRILLIC SMALL LETTER");
		try {
			return base.equals(name) ? Character.toString(letter) : folded(
					Normalizer.normalize(Character.toString(Character.codePointOf(base)), Form.NFKD).codePointAt(0));
		}
		catch (IllegalArgumentException ex) {
			return Character.toString(letter);
		}
	}

	private static String latin(String name) {
		return switch (name) {
			case "ETH" -> "d";
			case "THORN" -> "th";
			default -> name.toLowerCase(Locale.ROOT);
		};
	}

	@SuppressWarnings("CharacterGetNumericValue") // of what is no letter
	private static String number(int character) {
		int number = Character.getNumericValue(character);
		return (number >= 0 && !Character.isLetter(character)) ? Integer.toString(number)
				: Character.isBmpCodePoint(character) ? "" : WIDE;
	}

}

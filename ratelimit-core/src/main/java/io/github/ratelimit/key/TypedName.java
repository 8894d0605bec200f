package io.github.ratelimit.key;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names that people type, such as those of accounts and addresses of mail. User
 * tables and directories find one entry by many spellings of its name, each by others.
 */
public final class TypedName {

	/** The characters of a name that count, as clients choose its length. */
	private static final int LONGEST = 256;

	/** The Unicode name of a Latin letter or two, such as that of an o with a stroke. */
	private static final Pattern LATIN = Pattern.compile("(?:.* )?LATIN (?:.*? )?([A-Z]{1,2}|ETH)(?: .*)?");

	private static final int LAST_OF_ASCII = 0x7F;

	private static final int MINUS = 0x2212;

	private static final int MIDDLE_DOT = 0xB7;

	/** An iota, which some ignore under another letter and some read as a letter. */
	private static final int IOTA = 0x3B9;

	/** Stands for all characters that narrow columns of text cannot distinguish. */
	private static final String WIDE = "\uFFFD";

	private TypedName() {
	}

	/**
	 * Returns the one spelling of a name that its spellings share, as far as databases
	 * and directories ignore the difference by default: in lower case and full
	 * compatibility decomposition (NFKD), without accents and other marks, spaces,
	 * hyphens, control and invisible characters.
	 * @param typed the name as typed; its first 256 characters of the others count
	 * @return the spelling under which the name counts; empty if nothing is left
	 */
	public static String of(String typed) {
		StringBuilder kept = new StringBuilder();
		typed.codePoints().filter(TypedName::counts).limit(LONGEST).forEach(kept::appendCodePoint);
		StringBuilder name = new StringBuilder();
		Normalizer.normalize(kept, Form.NFKD)
			.codePoints()
			.filter(TypedName::counts)
			.forEach((character) -> name.append(folded(character)));
		// A sharp s is one s in some collations, and two in others.
		return name.toString().replace("ss", "s");
	}

	private static boolean counts(int character) {
		return switch (Character.getType(character)) {
			case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
				latin(character).matches();
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED -> false;
			case Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.DASH_PUNCTUATION ->
				false;
			default -> character != MINUS && character != MIDDLE_DOT;
		};
	}

	@SuppressWarnings("CharacterGetNumericValue") // of what is no letter
	private static String folded(int character) {
		int lower = Character.toLowerCase(Character.toUpperCase(character));
		if (lower <= LAST_OF_ASCII) {
			return Character.toString(lower);
		}
		if (lower == IOTA) {
			return "";
		}
		int number = Character.getNumericValue(lower);
		if (number >= 0 && !Character.isLetter(lower)) {
			return Integer.toString(number);
		}
		Matcher latin = latin(lower);
		if (latin.matches()) {
			return latin.group(1).equals("ETH") ? "d" : latin.group(1).toLowerCase(Locale.ROOT);
		}
		return Character.isBmpCodePoint(lower) ? Character.toString(lower) : WIDE;
	}

	private static Matcher latin(int character) {
		return LATIN.matcher(String.valueOf(Character.getName(character)));
	}

}

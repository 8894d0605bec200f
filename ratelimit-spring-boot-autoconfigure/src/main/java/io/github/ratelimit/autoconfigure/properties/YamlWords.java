package io.github.ratelimit.autoconfigure.properties;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The words of YAML for the constants of an enum, such as {@code token-bucket}.
 */
public final class YamlWords {

	private YamlWords() {
	}

	/**
	 * Returns the word for a constant.
	 * @param constant the constant of an enum
	 * @return the word
	 */
	public static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Returns the words for all constants of an enum, in their order. */
	static List<String> all(Class<?> type) {
		return Stream.of(type.getEnumConstants()).map((constant) -> of((Enum<?>) constant)).toList();
	}

}

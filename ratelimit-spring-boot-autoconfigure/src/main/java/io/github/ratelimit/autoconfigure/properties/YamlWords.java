package io.github.ratelimit.autoconfigure.properties;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;

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

	/**
	 * Returns the words for the constants of an enum, in their order. A limit on
	 * concurrency is written as such, not by the name of an algorithm.
	 */
	static List<String> all(Class<?> type) {
		return (type == Algorithm.class) ? Algorithm.rates().map(Algorithm::id).toList()
				: Stream.of(type.getEnumConstants()).map((constant) -> of((Enum<?>) constant)).toList();
	}

}

package io.github.ratelimit.spring.key;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import org.jspecify.annotations.Nullable;

/**
 * A resolver of keys with several parts, such as {@code principal:alice + route:GET /}. A
 * key without one of its parts is missing. Keys of other parts have another text: a plus
 * after a space within a part is doubled.
 *
 * @param parts resolvers of keys that begin with their word
 */
record JoinedKey(List<KeyResolver> parts) implements KeyResolver {

	/** The text between parts. */
	static final String JOIN = " + ";

	private static final String PLUS = " +";

	private static final String DOUBLED = " ++";

	/** A plus between words, or without a word on one side. */
	private static final Pattern JOIN_OF_WORDS = Pattern.compile("(?:^|\\s+)\\+(?:\\s+|$)");

	/**
	 * Returns the words that a word joins, or the word. An expression is the last, as it
	 * may contain plus signs.
	 */
	static List<String> words(String word) {
		List<String> words = new ArrayList<>();
		String rest = word;
		Matcher join = JOIN_OF_WORDS.matcher(rest);
		while (!KeyWord.isExpression(rest) && join.find()) {
			words.add(rest.substring(0, join.start()));
			rest = rest.substring(join.end());
			join = JOIN_OF_WORDS.matcher(rest);
		}
		words.add(rest);
		return words;
	}

	/** Returns the parts of a key, or the key if it has one. */
	static List<String> split(String key) {
		List<String> parts = new ArrayList<>();
		for (String part : key.split(Pattern.quote(JOIN), -1)) {
			parts.add(part.replace(DOUBLED, PLUS));
		}
		return parts;
	}

	/** Returns the key of parts. */
	static String join(List<String> parts) {
		return String.join(JOIN, parts.stream().map(JoinedKey::doubled).toList());
	}

	@Override
	public @Nullable String resolve(CallContext call) {
		StringBuilder key = new StringBuilder();
		for (KeyResolver resolver : this.parts) {
			String part = resolver.resolve(call);
			if (part == null) {
				return null;
			}
			key.append(key.isEmpty() ? "" : JOIN).append(doubled(part));
		}
		return key.toString();
	}

	private static String doubled(String part) {
		return part.replace(PLUS, DOUBLED);
	}

}

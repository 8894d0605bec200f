package io.github.ratelimit.key;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query, by the rules of the HTML form encoding. A servlet's own
 * parameters would read the body of a form too.
 */
public final class QueryString {

	private QueryString() {
	}

	/**
	 * Returns the first value of a parameter.
	 * @param query the query without the question mark; {@code null} for none
	 * @param name the name of the parameter
	 * @return the decoded value; {@code null} if it is absent or malformed
	 */
	public static @Nullable String first(@Nullable String query, String name) {
		if (query == null) {
			return null;
		}
		for (String pair : query.split("&", -1)) {
			int equals = pair.indexOf('=');
			if (name.equals(decoded((equals >= 0) ? pair.substring(0, equals) : pair))) {
				return decoded((equals >= 0) ? pair.substring(equals + 1) : "");
			}
		}
		return null;
	}

	private static @Nullable String decoded(String text) {
		try {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}

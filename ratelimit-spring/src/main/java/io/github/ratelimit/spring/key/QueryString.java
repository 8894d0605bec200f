package io.github.ratelimit.spring.key;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * A parser of query strings. The servlet's own parameters would read the body of a form
 * too.
 */
final class QueryString {

	private QueryString() {
	}

	/** Returns the first value of a parameter, or null if it is absent or malformed. */
	static @Nullable String first(@Nullable String query, String name) {
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

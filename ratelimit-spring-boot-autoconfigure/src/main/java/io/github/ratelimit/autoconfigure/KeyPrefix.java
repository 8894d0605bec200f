package io.github.ratelimit.autoconfigure;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

import io.github.ratelimit.InvalidRateLimitException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The beginning of every key in Redis: what the application configures, or else its name,
 * so that applications with one Redis have counts of their own.
 */
final class KeyPrefix {

	private static final String STANDARD = "ratelimit";

	private static final String PROPERTY = "ratelimit.redis.key-prefix";

	private KeyPrefix() {
	}

	/**
	 * Returns the prefix.
	 * @param configured the property's value, taken as it is
	 * @param application the application's name, of which all but letters, digits, dots,
	 * hyphens and underscores is percent-encoded
	 */
	static String of(@Nullable String configured, @Nullable String application) {
		if (configured != null) {
			return valid(configured);
		}
		return StringUtils.hasText(application) ? STANDARD + ':' + encoded(application) : STANDARD;
	}

	private static String valid(String prefix) {
		if (!prefix.matches("[\\x21-\\x7e&&[^{}]]{1,64}")) {
			throw new InvalidRateLimitException("The property '" + PROPERTY
					+ "' must be 1 to 64 visible ASCII characters without braces, was '" + prefix + "'",
					"Correct the property '" + PROPERTY + "'.", null);
		}
		return prefix;
	}

	private static String encoded(String name) {
		return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
	}

}

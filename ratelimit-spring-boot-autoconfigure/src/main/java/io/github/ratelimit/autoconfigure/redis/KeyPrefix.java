package io.github.ratelimit.autoconfigure.redis;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

import io.github.ratelimit.autoconfigure.failure.PropertyRange;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The prefix of every key in Redis: the configured one, or one with the name of the
 * application, so that applications that share a Redis have counters of their own.
 */
final class KeyPrefix {

	private static final String STANDARD = "ratelimit";

	private static final String PROPERTY = "ratelimit.redis.key-prefix";

	private KeyPrefix() {
	}

	/**
	 * Returns the prefix.
	 * @param configured the value of the property, used unchanged
	 * @param application the name of the application; characters other than letters,
	 * digits, dots, hyphens and underscores are percent-encoded
	 */
	static String of(@Nullable String configured, @Nullable String application) {
		if (configured != null) {
			return valid(configured);
		}
		return StringUtils.hasText(application) ? STANDARD + ':' + encoded(application) : STANDARD;
	}

	private static String valid(String prefix) {
		PropertyRange.require(prefix.matches("[\\x21-\\x7e&&[^{}]]{1,64}"), PROPERTY,
				"be 1 to 64 visible ASCII characters without braces", prefix);
		return prefix;
	}

	private static String encoded(String name) {
		return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
	}

}

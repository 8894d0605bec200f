package io.github.ratelimit.pairs;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A response, as far as limits concern it.
 *
 * @param status the status
 * @param remaining the permits left, by the names of limits
 * @param retryAfter whether there is a {@code Retry-After}
 */
record Response(int status, Map<String, Long> remaining, boolean retryAfter) {

	private static final Pattern LIMIT = Pattern.compile("\"([^\"]+)\";r=(\\d+)");

	/** Reads a response. */
	static Response of(int status, Function<String, @Nullable String> header) {
		return new Response(status, remaining(header.apply("RateLimit")), header.apply("Retry-After") != null);
	}

	/** Returns the permits left of a {@code RateLimit} field, by the names of limits. */
	static Map<String, Long> remaining(@Nullable String field) {
		Map<String, Long> remaining = new TreeMap<>();
		if (field != null) {
			LIMIT.matcher(field)
				.results()
				.forEach((limit) -> remaining.put(limit.group(1), Long.valueOf(limit.group(2))));
		}
		return remaining;
	}

}

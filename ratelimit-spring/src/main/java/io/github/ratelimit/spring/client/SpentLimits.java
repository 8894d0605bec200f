package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.http.HttpHeaders;

/**
 * The limits of an upstream that a response has used up, by its {@code RateLimit} fields:
 * a list of limits with what is left ({@code r}) and the seconds until there is more
 * ({@code t}).
 *
 * @see <a href=
 * "https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11">RateLimit
 * header fields for HTTP, draft 11</a>
 */
final class SpentLimits {

	private static final String RATE_LIMIT = "RateLimit";

	private static final String STRING = "\"(?:[^\"\\\\]|\\\\.)*+\"";

	private static final Pattern LIMIT = Pattern
		.compile("(?:" + STRING + "|[^,;\"\\s]++)((?:\\s*+;(?:" + STRING + "|[^,;\"])*+)*+)");

	private static final Pattern PARAMETER = Pattern.compile(";\\s*+([^=;,\"\\s]++)(?:=(" + STRING + "|[^;,\"]*+))?");

	private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

	private SpentLimits() {
	}

	/** Returns the time until all limits have room; zero if none is used up. */
	static Duration pause(HttpHeaders headers) {
		long longest = 0;
		for (String field : headers.getOrEmpty(RATE_LIMIT)) {
			Matcher limit = LIMIT.matcher(field);
			while (limit.find()) {
				if (parameter("r", limit.group(1)).orElse(1) == 0) {
					longest = Math.max(longest, parameter("t", limit.group(1)).orElse(0));
				}
			}
		}
		return Duration.ofSeconds(longest);
	}

	private static OptionalLong parameter(String name, String parameters) {
		return PARAMETER.matcher(parameters)
			.results()
			.filter((parameter) -> parameter.group(1).equals(name) && parameter.group(2) != null)
			.map((parameter) -> parameter.group(2).strip())
			.filter((value) -> NUMBER.matcher(value).matches())
			.mapToLong(Long::parseLong)
			.findFirst();
	}

}

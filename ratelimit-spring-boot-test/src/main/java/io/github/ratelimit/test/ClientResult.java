package io.github.ratelimit.test;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.http.RateLimitFields;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call as its client sees it.
 *
 * @param limited whether a limit denied the call
 * @param description the result in words
 * @param policies the names of the policies that denied it
 * @param retryAfter the time after which the client is to retry, or {@code null} if it is
 * not told
 */
record ClientResult(boolean limited, String description, List<String> policies, @Nullable Duration retryAfter) {

	private static final int TOO_MANY_REQUESTS = 429;

	/** The names that a problem lists, which need no escapes in JSON. */
	private static final Pattern VIOLATED = Pattern.compile("\"violated-policies\"\\s*:\\s*\\[([^\\]]*)\\]");

	/** A name in quotes, without the limit that follows it if a policy has several. */
	private static final Pattern NAME = Pattern.compile("\"([^\":]+)(?::[^\"]*)?\"");

	/** The name of an entry of the header that has nothing left. */
	private static final Pattern SPENT = Pattern.compile(NAME + ";r=0(?![0-9])");

	/**
	 * Creates the result of a response.
	 * @param headers returns a header, or {@code null} if it is absent
	 */
	static ClientResult of(int status, Function<String, @Nullable String> headers, String body) {
		String retryAfter = headers.apply(RateLimitFields.RETRY_AFTER);
		return new ClientResult(status == TOO_MANY_REQUESTS, "status " + status, policies(headers, body),
				(retryAfter != null && retryAfter.matches("[0-9]{1,18}"))
						? Duration.ofSeconds(Long.parseLong(retryAfter)) : null);
	}

	/** Creates the result of a call that failed, or did not. */
	static ClientResult of(@Nullable Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof RateLimitExceededException denial) {
				List<String> names = RateLimitFields.violatedPolicies(denial.getDecision());
				return new ClientResult(true, "a denial", names(NAME, '"' + String.join("\"\"", names) + '"').toList(),
						Duration.ofSeconds(RateLimitFields.retryAfter(denial.getDecision())));
			}
		}
		return new ClientResult(false, (failure != null) ? failure.toString() : "no exception", List.of(), null);
	}

	private static List<String> policies(Function<String, @Nullable String> headers, String body) {
		Matcher violated = VIOLATED.matcher(body);
		if (violated.find()) {
			return names(NAME, violated.group(1)).toList();
		}
		String header = headers.apply(RateLimitFields.RATE_LIMIT);
		return (header != null) ? names(SPENT, header).toList() : List.of();
	}

	private static Stream<String> names(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((MatchResult result) -> result.group(1)).distinct();
	}

}

package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The time to wait of a response, from its {@code Retry-After}: in seconds, or as a date
 * by the clock that dated the response.
 */
public final class RetryAfter {

	private static final Pattern SECONDS = Pattern.compile("0*([0-9]{1,9})");

	private static final Pattern MANY_SECONDS = Pattern.compile("[0-9]+");

	private RetryAfter() {
	}

	/**
	 * Returns the time to wait.
	 * @param headers the headers of the response
	 * @param date the date of the response if it has none itself
	 * @return the time; zero or negative without a readable one
	 */
	public static Duration of(HttpHeaders headers, Instant date) {
		String value = headers.getFirst(HttpHeaders.RETRY_AFTER);
		if (value == null) {
			return Duration.ZERO;
		}
		String text = value.strip();
		if (MANY_SECONDS.matcher(text).matches()) {
			Matcher seconds = SECONDS.matcher(text);
			return Duration.ofSeconds(seconds.matches() ? Long.parseLong(seconds.group(1)) : Integer.MAX_VALUE);
		}
		Instant until = date(headers, HttpHeaders.RETRY_AFTER);
		Instant sent = Objects.requireNonNullElse(date(headers, HttpHeaders.DATE), date);
		return (until != null) ? Duration.between(sent, until) : Duration.ZERO;
	}

	private static @Nullable Instant date(HttpHeaders headers, String name) {
		try {
			ZonedDateTime date = headers.getFirstZonedDateTime(name);
			return (date != null) ? date.toInstant() : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}

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
 * How long an answer asks to wait, as its {@code Retry-After} says: in seconds, or as a
 * date, which is taken by the clock that dated the answer.
 */
final class RetryAfter {

	private static final Pattern SECONDS = Pattern.compile("0*([0-9]{1,9})");

	private static final Pattern MANY_SECONDS = Pattern.compile("[0-9]+");

	private RetryAfter() {
	}

	/**
	 * Reads it.
	 * @param headers of the answer
	 * @param date when the answer was made, if it does not say itself
	 * @return how long; zero or negative where it asks for nothing that can be read
	 */
	static Duration of(HttpHeaders headers, Instant date) {
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
		Instant made = Objects.requireNonNullElse(date(headers, HttpHeaders.DATE), date);
		return (until != null) ? Duration.between(made, until) : Duration.ZERO;
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

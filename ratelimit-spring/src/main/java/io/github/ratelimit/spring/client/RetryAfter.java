package io.github.ratelimit.spring.client;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * The time to wait of a response, from its {@code Retry-After}: in seconds, or as a date
 * by the clock that dated the response.
 */
public final class RetryAfter {

	private static final Set<Integer> STATUSES = Set.of(HttpStatus.TOO_MANY_REQUESTS.value(),
			HttpStatus.SERVICE_UNAVAILABLE.value());

	private static final Pattern SECONDS = Pattern.compile("[0-9]+(\\.[0-9]+)?");

	private static final BigDecimal LONGEST = BigDecimal.valueOf(Integer.MAX_VALUE);

	private RetryAfter() {
	}

	/**
	 * Returns whether a response may demand to be called later only.
	 * @param status the status of the response
	 * @return whether it is 429 or 503
	 */
	public static boolean mayPause(int status) {
		return STATUSES.contains(status);
	}

	/**
	 * Returns the time to wait, the longest if the response has several. Standard seconds
	 * are whole; fractions of some servers are rounded up.
	 * @param headers the headers of the response
	 * @param date the date of the response if it has none itself
	 * @return the time; zero or negative without a readable one
	 */
	public static Duration of(HttpHeaders headers, Instant date) {
		Instant sent = Objects.requireNonNullElse(date(headers.getFirst(HttpHeaders.DATE)), date);
		return headers.getOrEmpty(HttpHeaders.RETRY_AFTER)
			.stream()
			.map((value) -> of(value.strip(), sent))
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
	}

	private static Duration of(String value, Instant sent) {
		if (SECONDS.matcher(value).matches()) {
			BigDecimal seconds = new BigDecimal(value).setScale(0, RoundingMode.CEILING);
			return Duration.ofSeconds(seconds.min(LONGEST).longValue());
		}
		Instant until = date(value);
		return (until != null) ? Duration.between(sent, until) : Duration.ZERO;
	}

	private static @Nullable Instant date(@Nullable String value) {
		HttpHeaders header = new HttpHeaders();
		header.set(HttpHeaders.DATE, value);
		try {
			ZonedDateTime date = header.getFirstZonedDateTime(HttpHeaders.DATE);
			return (date != null) ? date.toInstant() : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}

package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit on concurrency in configuration.
 */
final class ConcurrencyText {

	static final String FORM = "a limit on concurrency is written '5 concurrent', or with the lease of a permit"
			+ " '5 concurrent lease 10s', without an algorithm, a burst or an alignment";

	private static final Duration STANDARD_LEASE = Duration.ofSeconds(30);

	/** The shortest lease that renewals over a network keep. */
	private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

	private static final Pattern WORDS = Pattern
		.compile("(-?\\d{1,18})\\s+concurrent(?:\\s+lease\\s+(\\d{1,9}(?:ms|s|m|h|d)))?");

	private ConcurrencyText() {
	}

	/**
	 * Returns whether a limit is to be on concurrency, even if it is not well written.
	 */
	static boolean matches(String text) {
		return text.matches("\\s*\\S+\\s+(concurrent|concurrency)(\\s.*)?");
	}

	/** Returns the permits per lease. */
	static Rate read(String text) {
		Matcher matcher = WORDS.matcher(text.strip());
		if (!matcher.matches()) {
			throw new IllegalArgumentException(FORM);
		}
		String lease = matcher.group(2);
		long permits = Long.parseLong(matcher.group(1));
		Rate rate = (lease != null) ? Rate.parse(permits + "/" + lease) : new Rate(permits, STANDARD_LEASE);
		if (rate.period().compareTo(SHORTEST_LEASE) < 0) {
			throw new IllegalArgumentException("a lease is at least 1s, as it is renewed in time, was " + lease);
		}
		return rate;
	}

	static String of(Rate rate) {
		String lease = rate.period().equals(STANDARD_LEASE) ? "" : " lease " + rate.periodText();
		return rate.permits() + " concurrent" + lease;
	}

}

package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The permits of a period, written as {@code permits/period}: {@code 100/1m}.
 *
 * @param permits permits per period, at least 1
 * @param period a whole number of microseconds, at least 1 and at most 366 days
 */
public record Rate(long permits, Duration period) {

	/** The units of a period by name, the longest first. */
	private static final Map<String, Duration> UNITS = units();

	private static final Pattern TEXT = Pattern
		.compile("(-?\\d{1,18})/(-?\\d{1,9})(" + String.join("|", UNITS.keySet()) + ")");

	/** A rate in words or with spaces, and the rest of a limit. */
	private static final Pattern WORDS = Pattern
		.compile("(\\d{1,18})\\s*(?:[a-z]+\\s+)?(?:/|\\b(?:per|an?|every|each)\\b)\\s*(\\d{0,9})\\s*"
				+ "(ms|millis|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?!\\w)(.*)");

	private static final String FORM = "a limit is written permits/period, such as 100/1m, with a unit of ms, s, m, h or d";

	private static final Duration LONGEST = Duration.ofDays(366);

	/**
	 * Checks the components.
	 * @param permits permits per period, at least 1
	 * @param period a whole number of microseconds, at least 1 and at most 366 days
	 */
	public Rate {
		if (permits < 1) {
			throw new IllegalArgumentException("permits must be at least 1, was " + permits);
		}
		if (period.isNegative() || period.isZero() || period.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("period must be above 0 and at most 366d, was " + period);
		}
		if (!period.truncatedTo(ChronoUnit.MICROS).equals(period)) {
			throw new IllegalArgumentException("period must be a whole number of microseconds, was " + period);
		}
	}

	/**
	 * Reads {@code permits/period}, the period being a number and one of the units
	 * {@code ms}, {@code s}, {@code m}, {@code h} and {@code d}.
	 * @param text such as {@code 100/1m} or {@code 5/500ms}
	 * @return the rate
	 * @throws IllegalArgumentException if the text has another form, or a number is out
	 * of bounds
	 */
	public static Rate parse(String text) {
		requireNoWords(text);
		Matcher matcher = TEXT.matcher(text.strip());
		if (!matcher.matches()) {
			throw new IllegalArgumentException(FORM);
		}
		long permits = Long.parseLong(matcher.group(1));
		long amount = Long.parseLong(matcher.group(2));
		return new Rate(permits, Objects.requireNonNull(UNITS.get(matcher.group(3))).multipliedBy(amount));
	}

	/** Requires a limit not to begin with a rate in words, such as 3 per minute. */
	static void requireNoWords(String text) {
		Matcher words = WORDS.matcher(text.strip().toLowerCase(Locale.ROOT));
		if (words.matches()) {
			String unit = words.group(3).matches("ms|mil.*") ? "ms" : words.group(3).substring(0, 1);
			String amount = words.group(2).isEmpty() ? "1" : words.group(2);
			String written = words.group(1) + "/" + amount + unit;
			if (!text.strip().startsWith(written)) {
				throw new IllegalArgumentException(FORM + "; write " + written + words.group(4));
			}
		}
	}

	/**
	 * Returns the period in the unit of stores.
	 * @return microseconds, at least 1
	 */
	public long periodMicros() {
		return TimeUnit.MICROSECONDS.convert(this.period);
	}

	@Override
	public String toString() {
		return this.permits + "/" + periodText();
	}

	/** Returns the period in the longest unit that divides it. */
	String periodText() {
		return text(this.period);
	}

	/**
	 * Returns a time as rates write their periods.
	 * @param period the time
	 * @return a number and the longest unit that divides the time, such as {@code 10m}
	 */
	public static String text(Duration period) {
		for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
			long amount = period.dividedBy(unit.getValue());
			if (unit.getValue().multipliedBy(amount).equals(period)) {
				return amount + unit.getKey();
			}
		}
		return period.toString();
	}

	private static Map<String, Duration> units() {
		Map<String, Duration> units = new LinkedHashMap<>();
		units.put("d", Duration.ofDays(1));
		units.put("h", Duration.ofHours(1));
		units.put("m", Duration.ofMinutes(1));
		units.put("s", Duration.ofSeconds(1));
		units.put("ms", Duration.ofMillis(1));
		return units;
	}

}

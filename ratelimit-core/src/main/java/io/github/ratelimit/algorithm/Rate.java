package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many permits a period gives, written as {@code permits/period}: {@code 100/1m}.
 *
 * @param permits permits per period, at least 1
 * @param period a whole number of microseconds, at least 1 and at most 366 days
 */
public record Rate(long permits, Duration period) {

	private static final Pattern TEXT = Pattern.compile("(-?\\d{1,18})/(-?\\d{1,9})(ms|s|m|h|d)");

	private static final Duration LONGEST = Duration.ofDays(366);

	public Rate {
		if (permits < 1) {
			throw new IllegalArgumentException("permits must be at least 1, was " + permits);
		}
		if (period.isNegative() || period.isZero() || period.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("period must be above 0 and at most 366d, was " + text(period));
		}
		if (period.getNano() % 1000 != 0) {
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
		Matcher matcher = TEXT.matcher(text.strip());
		if (!matcher.matches()) {
			throw new IllegalArgumentException(
					"a limit is written permits/period, such as 100/1m, with a unit of ms, s, m, h or d");
		}
		long permits = Long.parseLong(matcher.group(1));
		long amount = Long.parseLong(matcher.group(2));
		return new Rate(permits, period(amount, matcher.group(3)));
	}

	/**
	 * The period in the unit that stores count in.
	 * @return microseconds, at least 1
	 */
	public long periodMicros() {
		return TimeUnit.SECONDS.toMicros(this.period.getSeconds()) + this.period.getNano() / 1000;
	}

	@Override
	public String toString() {
		return this.permits + "/" + text(this.period);
	}

	private static Duration period(long amount, String unit) {
		return switch (unit) {
			case "ms" -> Duration.ofMillis(amount);
			case "s" -> Duration.ofSeconds(amount);
			case "m" -> Duration.ofMinutes(amount);
			case "h" -> Duration.ofHours(amount);
			default -> Duration.ofDays(amount);
		};
	}

	private static String text(Duration period) {
		if (period.getNano() % 1_000_000 != 0) {
			return period.toString();
		}
		long millis = period.toMillis();
		if (millis % 1000 != 0) {
			return millis + "ms";
		}
		long seconds = period.getSeconds();
		if (seconds == 0 || seconds % 60 != 0) {
			return seconds + "s";
		}
		if (seconds % 3600 != 0) {
			return seconds / 60 + "m";
		}
		return (seconds % 86_400 != 0) ? seconds / 3600 + "h" : seconds / 86_400 + "d";
	}

}

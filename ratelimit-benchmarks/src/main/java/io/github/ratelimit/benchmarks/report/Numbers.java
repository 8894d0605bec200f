package io.github.ratelimit.benchmarks.report;

import java.util.Locale;

/**
 * How figures are written.
 */
public final class Numbers {

	private static final double KILO = 1e3;

	private static final double MEGA = 1e6;

	private Numbers() {
	}

	/** Returns about three digits, with k or M where they are many. */
	public static String brief(double number) {
		if (Double.isNaN(number)) {
			return "–";
		}
		if (number >= MEGA) {
			return digits(number / MEGA) + " M";
		}
		return (number >= 10 * KILO) ? digits(number / KILO) + " k" : digits(number);
	}

	private static String digits(double number) {
		String format = (number >= 100) ? "%.0f" : (number >= 10) ? "%.1f" : "%.2f";
		return String.format(Locale.ROOT, format, number);
	}

	/** Returns a time, in milliseconds where there are many microseconds. */
	public static String micros(double micros) {
		if (Double.isNaN(micros)) {
			return "–";
		}
		return (micros >= 10 * KILO) ? digits(micros / KILO) + " ms" : digits(micros) + " µs";
	}

}

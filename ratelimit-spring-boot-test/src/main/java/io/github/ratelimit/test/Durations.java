package io.github.ratelimit.test;

import java.time.Duration;

import org.springframework.boot.convert.DurationStyle;

/**
 * A reader of durations as in configuration, whose unit is required.
 */
final class Durations {

	private Durations() {
	}

	static Duration parse(String text) {
		if (text.isEmpty() || Character.isDigit(text.charAt(text.length() - 1))) {
			throw new IllegalArgumentException("a duration has a unit, such as '6s', '1m' or '1h', was '" + text + "'");
		}
		return DurationStyle.detectAndParse(text);
	}

}

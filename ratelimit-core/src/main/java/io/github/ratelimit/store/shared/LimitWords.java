package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Alignment;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;

/**
 * The words of a limit, as a store keeps it with what the limit has counted: algorithm,
 * permits, period in microseconds, burst, unit of the calendar and time zone. Unlike a
 * limit in configuration, they state every limit exactly.
 */
public final class LimitWords {

	/** The number of words. */
	static final int COUNT = 6;

	private static final String NONE = "-";

	private LimitWords() {
	}

	/**
	 * Writes a limit.
	 * @param limit the limit
	 * @return ASCII words with spaces between them
	 */
	public static String write(Limit limit) {
		Alignment alignment = limit.alignment();
		return Stream
			.of(limit.algorithm().name(), limit.rate().permits(), limit.periodMicros(), limit.burst(),
					(alignment != null) ? alignment.unit().name() : NONE,
					(alignment != null) ? alignment.zone().getId() : NONE)
			.map(String::valueOf)
			.collect(Collectors.joining(" "));
	}

	/**
	 * Reads a limit.
	 * @param text its words
	 * @return the limit that was written
	 * @throws IllegalArgumentException if the text has another form
	 */
	public static Limit read(String text) {
		List<String> words = List.of(text.split(" "));
		if (words.size() != COUNT) {
			throw new IllegalArgumentException("a limit has " + COUNT + " words, had " + words.size());
		}
		Algorithm algorithm = Algorithm.valueOf(words.get(0));
		Rate rate = new Rate(Long.parseLong(words.get(1)),
				Duration.of(Long.parseLong(words.get(2)), ChronoUnit.MICROS));
		Limit limit = Limit.of(algorithm, rate);
		limit = algorithm.hasBurst() ? limit.withBurst(Long.parseLong(words.get(3))) : limit;
		return words.get(4).equals(NONE) ? limit : limit
			.withAlignment(new Alignment(Alignment.Unit.valueOf(words.get(4)), Alignment.zone(words.get(5))));
	}

}

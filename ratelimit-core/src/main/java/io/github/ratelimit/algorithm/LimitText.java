package io.github.ratelimit.algorithm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a limit as users write it: a rate, an algorithm or none, and pairs of a word and
 * its value.
 */
final class LimitText {

	private static final String BURST = "burst";

	private static final String ALIGN = "align";

	private static final String ZONE = "zone";

	private static final Set<String> OPTIONS = Set.of(BURST, ALIGN, ZONE);

	private LimitText() {
	}

	static Limit read(String text, Algorithm standard) {
		Deque<String> words = new ArrayDeque<>(List.of(text.strip().split("\\s+")));
		Rate rate = Rate.parse(words.remove());
		boolean named = !words.isEmpty() && !OPTIONS.contains(words.element());
		Limit limit = Limit.of(named ? Algorithm.of(words.remove()) : standard, rate);
		Map<String, String> options = options(words);
		String burst = options.remove(BURST);
		if (burst != null) {
			limit = limit.withBurst(burst(burst));
		}
		String unit = options.remove(ALIGN);
		if (unit != null) {
			String zone = options.remove(ZONE);
			limit = limit.withAlignment(Alignment.of(unit, (zone != null) ? zone : "UTC"));
		}
		if (!options.isEmpty()) {
			throw new IllegalArgumentException("a zone is that of an alignment: align day zone Asia/Tokyo");
		}
		return limit;
	}

	private static Map<String, String> options(Deque<String> words) {
		Map<String, String> options = new HashMap<>();
		while (!words.isEmpty()) {
			String option = words.remove();
			if (!OPTIONS.contains(option) || words.isEmpty() || options.put(option, words.remove()) != null) {
				throw new IllegalArgumentException("after permits/period a limit has at most an algorithm,"
						+ " 'burst' with a number and 'align' with a unit and perhaps 'zone' with a time zone");
			}
		}
		return options;
	}

	private static long burst(String text) {
		if (!text.matches("\\d{1,18}")) {
			throw new IllegalArgumentException("a burst is a whole number, was '" + text + "'");
		}
		return Long.parseLong(text);
	}

}

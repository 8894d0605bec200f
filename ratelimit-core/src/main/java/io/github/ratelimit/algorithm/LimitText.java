package io.github.ratelimit.algorithm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The words of a limit in configuration.
 *
 * @param rate permits per period
 * @param algorithm the name of an algorithm, if there is one
 * @param options the options by name, each with its value
 */
record LimitText(String rate, @Nullable String algorithm, Map<String, String> options) {

	static final String BURST = "burst";

	static final String ALIGN = "align";

	static final String ZONE = "zone";

	private static final Set<String> OPTIONS = Set.of(BURST, ALIGN, ZONE);

	static LimitText read(String text) {
		Rate.requireNoWords(text);
		Deque<String> words = new ArrayDeque<>(List.of(text.strip().split("\\s+")));
		String rate = words.remove();
		boolean named = !words.isEmpty() && !OPTIONS.contains(words.element());
		LimitText read = new LimitText(rate, named ? words.remove() : null, options(words));
		if (read.options.containsKey(ZONE) && !read.options.containsKey(ALIGN)) {
			throw new IllegalArgumentException("a zone is that of an alignment: align day zone Asia/Tokyo");
		}
		return read;
	}

	/** Returns the burst, if there is one. */
	@Nullable Long burst() {
		String burst = this.options.get(BURST);
		if (burst != null && !burst.matches("\\d{1,18}")) {
			throw new IllegalArgumentException("a burst is a whole number, was '" + burst + "'");
		}
		return (burst != null) ? Long.valueOf(burst) : null;
	}

	/** Returns the alignment, if there is one. */
	@Nullable Alignment alignment() {
		String unit = this.options.get(ALIGN);
		return (unit != null) ? Alignment.of(unit, this.options.getOrDefault(ZONE, Alignment.STANDARD_ZONE)) : null;
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

}

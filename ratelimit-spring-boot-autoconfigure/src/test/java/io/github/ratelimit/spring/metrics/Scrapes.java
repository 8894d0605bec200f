package io.github.ratelimit.spring.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The samples that Prometheus gets from one instance, of the series that alert rules
 * need: one every 15 seconds, the first of them two minutes after Prometheus started.
 */
public final class Scrapes {

	/** The value of a series that was not there. */
	public static final String MISSING = "_";

	private static final String BEFORE = "_x8 ";

	private final Set<String> names;

	private final Map<String, List<String>> samples = new LinkedHashMap<>();

	private int count;

	/**
	 * Creates scrapes.
	 * @param names the names of the series
	 */
	public Scrapes(Set<String> names) {
		this.names = names;
	}

	/**
	 * Adds the samples of a scrape.
	 * @param text the scrape in Prometheus' text format
	 */
	public void add(String text) {
		this.count++;
		text.lines().filter((line) -> this.names.contains(line.split("\\{", 2)[0])).forEach(this::addSample);
		this.samples.values().forEach((values) -> fill(values, this.count));
	}

	private void addSample(String line) {
		int end = line.lastIndexOf(' ');
		List<String> values = this.samples.computeIfAbsent(line.substring(0, end), (series) -> new ArrayList<>());
		fill(values, this.count - 1);
		values.add(line.substring(end + 1));
	}

	private static void fill(List<String> values, int size) {
		values.addAll(Collections.nCopies(size - values.size(), MISSING));
	}

	/**
	 * Returns the samples of a series.
	 * @param series the series as scraped
	 * @return one value for each scrape
	 */
	public List<String> of(String series) {
		return this.samples.getOrDefault(series, List.of());
	}

	/**
	 * Returns the samples as input of a test of {@code promtool}.
	 * @return YAML, a list of series
	 */
	public String input() {
		return this.samples.entrySet()
			.stream()
			.map((each) -> "      - series: '" + each.getKey().replace("{", "{instance=\"a\",") + "'\n        values: '"
					+ BEFORE + String.join(" ", each.getValue()) + "'\n")
			.collect(Collectors.joining());
	}

}

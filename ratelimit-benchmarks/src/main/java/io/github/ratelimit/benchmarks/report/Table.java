package io.github.ratelimit.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table in Markdown, which reads well on a console too.
 */
public final class Table {

	private final List<List<String>> rows = new ArrayList<>();

	/** Creates a table without rows. */
	public Table(List<String> header) {
		this.rows.add(header);
	}

	/** Adds a row. */
	public void row(List<String> counters) {
		this.rows.add(counters);
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(line(this.rows.get(0)));
		text.append("|---").append("|--:".repeat(this.rows.get(0).size() - 1)).append("|\n");
		this.rows.stream().skip(1).map(Table::line).forEach(text::append);
		return text.toString();
	}

	private static String line(List<String> counters) {
		return counters.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
	}

}

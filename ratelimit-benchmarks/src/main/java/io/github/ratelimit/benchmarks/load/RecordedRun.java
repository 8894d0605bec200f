package io.github.ratelimit.benchmarks.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Properties;
import java.util.stream.DoubleStream;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Table;

/**
 * The figures of a run that was recorded, more being better, with which another is
 * compared. That fails if one has fallen by more than a twentieth.
 */
final class RecordedRun {

	private static final double TOLERATED = 0.95;

	private final Properties recorded = new Properties();

	private final Table table;

	private final List<String> fallen = new ArrayList<>();

	/**
	 * Reads a recorded run.
	 * @param file its name beside this class
	 * @param what what its figures are
	 */
	RecordedRun(String file, String what) {
		this.table = new Table(List.of(what, "now", "least – most", "recorded"));
		try (InputStream figures = RecordedRun.class.getResourceAsStream(file)) {
			this.recorded.load(figures);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Compares the median of a figure.
	 * @param name its name in the file
	 * @param rounds what it was in each round
	 */
	void compare(String name, double[] rounds) {
		double before = Double.parseDouble(this.recorded.getProperty(name));
		double now = Figures.median(rounds);
		if (now < TOLERATED * before) {
			this.fallen.add(name);
		}
		DoubleSummaryStatistics all = DoubleStream.of(rounds).summaryStatistics();
		this.table.row(List.of(name, Numbers.brief(now),
				Numbers.brief(all.getMin()) + " – " + Numbers.brief(all.getMax()), Numbers.brief(before)));
	}

	/** Returns the table of what was compared. */
	String table() {
		return this.table.toString();
	}

	/** Fails if a figure has fallen. */
	void requireNoneFallen() {
		if (!this.fallen.isEmpty()) {
			throw new IllegalStateException("slower than recorded: " + this.fallen);
		}
	}

}

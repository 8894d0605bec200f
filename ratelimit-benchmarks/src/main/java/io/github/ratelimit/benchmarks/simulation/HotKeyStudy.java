package io.github.ratelimit.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.benchmarks.report.LineChart;
import io.github.ratelimit.benchmarks.report.LineChart.Axis;
import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.benchmarks.simulation.Fleet.Outcome;
import io.github.ratelimit.benchmarks.simulation.Traffic.Keys;
import io.github.ratelimit.benchmarks.simulation.Traffic.Limit;

/**
 * One key that more and more instances call a thousand times a second each.
 */
final class HotKeyStudy {

	/** The columns of what is studied. */
	static final int ALLOWED = 0;

	static final int DENIED = 2;

	private static final int[] INSTANCES = { 1, 3, 10, 30, 100, 200, 300, 500, 1000 };

	private static final double CALLS = 1000;

	private static final double FULL = 0.98;

	private static final List<String> TITLES = List.of("allowed", "allowed, prefetch: 500", "denied, limit 100/1s",
			"denied, limit 1/1h");

	private static final List<Limit> LIMITS = List.of(Limit.NONE, Limit.prefetching(500), Limit.of(100),
			new Limit(1 / 3600.0, 1, 0));

	private final ThousandInstances thousand;

	private final Report report;

	/** The outcomes of each number of instances. */
	private final List<List<Outcome>> outcomes = new ArrayList<>();

	HotKeyStudy(ThousandInstances thousand, Report report) {
		this.thousand = thousand;
		this.report = report;
	}

	void run() {
		for (int instances : INSTANCES) {
			this.outcomes.add(LIMITS.stream().map((limit) -> outcome(instances, limit)).toList());
		}
		this.report.part("scale-hot", table().toString());
		this.report.picture("scale-hot", chart().svg());
	}

	/** Simulates all of a window of a second where there are windows. */
	private Outcome outcome(int instances, Limit limit) {
		boolean hasWindows = limit.prefetch() > 0 || limit.perSecond() < 1;
		return this.thousand.fleet(instances, 2, Keys.hot(), CALLS * instances, limit)
			.measure(200_000, hasWindows ? 1_000_000 : 300_000);
	}

	/** Returns the least number of instances that fill a master, within a twentieth. */
	int instancesThatFill(int column) {
		int fewer = 1;
		int enough = INSTANCES[INSTANCES.length - 1];
		while (enough - fewer > enough / 20) {
			int instances = (fewer + enough) / 2;
			boolean full = outcome(instances, LIMITS.get(column)).busiest() > FULL;
			enough = full ? instances : enough;
			fewer = full ? fewer : instances;
		}
		return enough;
	}

	private Table table() {
		List<String> header = new ArrayList<>(List.of("instances"));
		TITLES.forEach((title) -> header.add(title + ": runs a second, busy, p99"));
		Table table = new Table(header);
		for (int row = 0; row < INSTANCES.length; row++) {
			List<String> cells = new ArrayList<>(List.of(Integer.toString(INSTANCES[row])));
			this.outcomes.get(row)
				.forEach((outcome) -> cells.add(Numbers.brief(outcome.runsPerSecond()) + ", "
						+ ThousandInstances.percent(outcome.busiest()) + ", " + Numbers.micros(outcome.p99())));
			table.row(cells);
		}
		return table;
	}

	private LineChart chart() {
		LineChart chart = new LineChart(
				"Script runs a second for one hot key, called 1000 times a second by each instance", TITLES,
				new Axis("instances", true, List.of(1.0, 10.0, 100.0, 1000.0), ThousandInstances::whole),
				new Axis("script runs a second", true, List.of(1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0),
						ThousandInstances::whole));
		for (int row = 0; row < INSTANCES.length; row++) {
			chart.add(INSTANCES[row], this.outcomes.get(row).stream().mapToDouble(Outcome::runsPerSecond).toArray());
		}
		return chart;
	}

}

package io.github.ratelimit.benchmarks.simulation;

import java.util.List;

import io.github.ratelimit.benchmarks.report.LineChart;
import io.github.ratelimit.benchmarks.report.LineChart.Axis;
import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.benchmarks.simulation.Fleet.Outcome;
import io.github.ratelimit.benchmarks.simulation.Traffic.Limit;

/**
 * Latency as the load of the masters grows until and beyond what they can do. As every
 * master has the same share of the calls, two stand for all.
 *
 * @param thousand the instances
 */
record LoadStudy(ThousandInstances thousand, Report report) {

	private static final int MASTERS = 2;

	private static final double[] LOADS = { 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.05, 1.2, 1.5, 2 };

	void run() {
		Table table = new Table(
				List.of("load", "p50 / p99", "script runs of a master", "decisions in time of a master", "failed"));
		LineChart chart = new LineChart("Latency of a decision, as the load of masters grows", List.of("p50", "p99"),
				new Axis("offered load of the masters", false, List.of(0.0, 0.5, 1.0, 1.5, 2.0),
						(load) -> ThousandInstances.whole(load * 100) + " %"),
				new Axis("time of a decision", true, List.of(100.0, 1000.0, 10_000.0, 100_000.0), Numbers::micros));
		for (double load : LOADS) {
			double perSecond = load * MASTERS * this.thousand.capacity();
			Outcome outcome = this.thousand
				.fleet(ThousandInstances.INSTANCES, MASTERS, ThousandInstances.KEYS, perSecond, Limit.NONE)
				.measure((load < 1) ? 100_000 : 1_000_000, (load < 1) ? 300_000 : 1_000_000);
			chart.add(load, outcome.p50(), outcome.p99());
			table.row(List.of(ThousandInstances.percent(load), ThousandInstances.latency(outcome),
					Numbers.brief(outcome.runsPerSecond() / MASTERS) + "/s",
					Numbers.brief(outcome.perSecond() / MASTERS) + "/s",
					ThousandInstances.percent(outcome.failedPerSecond() / perSecond)));
		}
		this.report.part("scale-load", table.toString());
		this.report.picture("scale-load", chart.svg());
	}

}

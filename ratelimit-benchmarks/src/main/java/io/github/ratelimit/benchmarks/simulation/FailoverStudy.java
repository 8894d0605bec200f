package io.github.ratelimit.benchmarks.simulation;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.ratelimit.benchmarks.report.LineChart;
import io.github.ratelimit.benchmarks.report.LineChart.Axis;
import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.benchmarks.simulation.Traffic.Limit;

/**
 * A master that dies and has a successor three seconds later, to which all instances
 * connect.
 */
final class FailoverStudy {

	private static final double STEP = 50_000;

	/** The steps at which the master dies, its successor begins, and the study ends. */
	private static final int DEAD = 20;

	private static final int SUCCEEDED = DEAD + 60;

	private static final int END = SUCCEEDED + 40;

	/** The steps after the successor begins that are told. */
	private static final Set<Integer> TOLD = Set.of(2, 5, 10, 15, 20, 25, 30, 40);

	private final Report report;

	private final Fleet fleet;

	private final Table table = new Table(
			List.of("after the successor began", "runs a second", "calls that fail", "connections back to normal"));

	private final LineChart chart = new LineChart("A master dies at 1 s; its successor begins at 4 s",
			List.of("runs a second", "calls that fail a second"),
			new Axis("seconds", false, IntStream.rangeClosed(0, 6).mapToObj(Double::valueOf).toList(),
					ThousandInstances::whole),
			new Axis("thousands", false, List.of(0.0, 20.0, 40.0, 60.0, 80.0), ThousandInstances::whole));

	private double steady;

	private double peak;

	private double normalAfter = Double.NaN;

	FailoverStudy(ThousandInstances thousand, Report report) {
		this.report = report;
		this.fleet = thousand.fleet(ThousandInstances.INSTANCES, 1, ThousandInstances.KEYS,
				ThousandInstances.BUSY * thousand.capacity(), Limit.NONE);
	}

	void run() {
		for (int step = 1; step <= END; step++) {
			if (step == DEAD + 1 || step == SUCCEEDED + 1) {
				this.fleet.setUp(step > SUCCEEDED);
			}
			step(step);
		}
		String summary = """

				Before the failover: %s runs a second. The most in any %s after it, as a rate: %s a second. \
				All back to normal after %s.
				""".formatted(Numbers.brief(this.steady), Numbers.micros(STEP), Numbers.brief(this.peak),
				Numbers.micros(this.normalAfter));
		this.report.part("scale-failover", this.table + summary);
		this.report.picture("scale-failover", this.chart.svg());
	}

	private void step(int step) {
		long runs = this.fleet.runs();
		long failed = this.fleet.tally().failed();
		this.fleet.runFor(STEP);
		double runsPerSecond = (this.fleet.runs() - runs) * 1e6 / STEP;
		double failedPerSecond = (this.fleet.tally().failed() - failed) * 1e6 / STEP;
		this.chart.add(step * STEP / 1e6, runsPerSecond / 1e3, failedPerSecond / 1e3);
		this.steady += (step <= DEAD) ? runsPerSecond / DEAD : 0;
		if (step > SUCCEEDED) {
			this.peak = Math.max(this.peak, runsPerSecond);
			boolean first = Double.isNaN(this.normalAfter) && this.fleet.normal() == 1;
			this.normalAfter = first ? (step - SUCCEEDED) * STEP : this.normalAfter;
		}
		if (TOLD.contains(step - SUCCEEDED)) {
			this.table.row(List.of(Numbers.micros((step - SUCCEEDED) * STEP), Numbers.brief(runsPerSecond),
					Numbers.brief(failedPerSecond), ThousandInstances.percent(this.fleet.normal())));
		}
	}

}

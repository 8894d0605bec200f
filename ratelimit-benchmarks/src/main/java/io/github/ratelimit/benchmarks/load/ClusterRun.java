package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.benchmarks.report.BarChart;
import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * This starter on clusters of one, two and three masters on one machine: what of the work
 * falls to the busiest master, which is what bounds a cluster whose masters have
 * processors of their own.
 */
final class ClusterRun {

	private static final int MOST_MASTERS = 3;

	private static final List<Scenario> SCENARIOS = List.of(Scenario.SPREAD, Scenario.HOT_ALLOWED);

	private final Settings settings;

	private final Report report;

	ClusterRun(Settings settings, Report report) {
		this.settings = settings;
		this.report = report;
	}

	void run() {
		List<LocalCluster> clusters = IntStream.rangeClosed(1, MOST_MASTERS).mapToObj(LocalCluster::start).toList();
		List<Turn> turns = clusters.stream().map(this::turn).toList();
		Results results = new Rounds(this.settings, this.report).run(turns, SCENARIOS, List.of(Load.ASYNC));
		report(results);
		turns.forEach((turn) -> turn.contender().close());
		clusters.forEach(LocalCluster::close);
	}

	private Turn turn(LocalCluster cluster) {
		String name = "masters: " + cluster.masters().size();
		RedisClusterConfiguration addresses = new RedisClusterConfiguration(cluster.addresses());
		return new Turn(
				new Measurement(MeasuredServer.of(cluster.masters()), this.settings.warmUp(), this.settings.time()),
				Ours.on(name, new LettuceConnectionFactory(addresses)));
	}

	private void report(Results results) {
		Table table = new Table(List.of("", "decisions a second, here", "processor time for a decision",
				"of it on the busiest master", "the busiest master is full at"));
		BarChart chart = new BarChart("Decisions a second at which the busiest master is full",
				SCENARIOS.stream().map(Scenario::title).toList());
		for (Scenario scenario : SCENARIOS) {
			results.contenders().forEach((name) -> addRow(table, results, new Cell(name, scenario, Load.ASYNC)));
		}
		for (String name : results.contenders()) {
			chart.add(name,
					SCENARIOS.stream()
						.map((scenario) -> results.median(new Cell(name, scenario, Load.ASYNC), ClusterRun::ceiling))
						.toList());
		}
		this.report.part("cluster", table.toString());
		this.report.picture("cluster", chart.svg());
	}

	private static void addRow(Table table, Results results, Cell cell) {
		table.row(List.of(cell.scenario().title() + ", " + cell.contender(),
				Numbers.brief(results.median(cell, Figures::perSecond)),
				Numbers.micros(results.median(cell, Figures::serverMicros)),
				Numbers.micros(results.median(cell, Figures::busiestMicros)),
				Numbers.brief(results.median(cell, ClusterRun::ceiling)) + "/s"));
	}

	private static double ceiling(Figures figures) {
		return 1e6 / figures.busiestMicros();
	}

}

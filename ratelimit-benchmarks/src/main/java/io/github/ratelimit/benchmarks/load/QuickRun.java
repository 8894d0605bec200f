package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.redis.RedisProcess;

/**
 * This starter beside raw Lettuce, in ratios alone, to run before and after a change. It
 * takes about a minute and a half.
 */
final class QuickRun {

	private static final List<Load> LOADS = List.of(Load.ONE, Load.BLOCKING, Load.ASYNC);

	private static final int ROUNDS = 7;

	private static final Duration TIME = Duration.ofMillis(300);

	private final Settings settings;

	private final Report report;

	QuickRun(Settings settings, Report report) {
		this.settings = settings.repeating(ROUNDS);
		this.report = report;
	}

	void run() {
		try (RedisProcess redis = RedisProcess.start();
				Contender floor = RawLettuce.plain(redis.port());
				Contender ours = Ours.standard(redis.port())) {
			Measurement measurement = new Measurement(MeasuredServer.of(List.of(redis)), TIME, TIME);
			List<Turn> turns = List.of(new Turn(measurement, floor), new Turn(measurement, ours));
			report(new Rounds(this.settings, this.report).run(turns, Scenario.UNDER_LOAD, LOADS));
		}
	}

	private void report(Results results) {
		Table table = new Table(List.of("× raw Lettuce", "decisions a second", "least – most"));
		for (Scenario scenario : Scenario.UNDER_LOAD) {
			for (Load load : LOADS) {
				double[] ratios = results.ratios(new Cell(Ours.NAME, scenario, load),
						new Cell(RawLettuce.NAME, scenario, load), Figures::perSecond);
				DoubleSummaryStatistics all = DoubleStream.of(ratios).summaryStatistics();
				table.row(List.of(scenario.title() + ", " + load.title(), Numbers.brief(Figures.median(ratios)),
						Numbers.brief(all.getMin()) + " – " + Numbers.brief(all.getMax())));
			}
		}
		this.report.part("quick", table.toString());
	}

}

package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.redis.RedisProcess;

/**
 * This starter beside raw Lettuce, in ratios alone, to run after a change. It takes about
 * two minutes, and fails if a ratio has fallen by more than a twentieth since the
 * recorded run.
 */
final class QuickRun {

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
			report(new Rounds(this.settings, this.report).run(turns, Scenario.UNDER_LOAD, Load.ALL));
		}
	}

	private void report(Results results) {
		RecordedRun recorded = new RecordedRun("quick.properties", "decisions a second, × raw Lettuce");
		for (Scenario scenario : Scenario.UNDER_LOAD) {
			for (Load load : Load.ALL) {
				recorded.compare(scenario.slug() + "." + load.title().replace(' ', '.'),
						results.ratios(new Cell(Ours.NAME, scenario, load), new Cell(RawLettuce.NAME, scenario, load),
								Figures::perSecond));
			}
		}
		this.report.part("quick", recorded.table());
		recorded.requireNoneFallen();
	}

}

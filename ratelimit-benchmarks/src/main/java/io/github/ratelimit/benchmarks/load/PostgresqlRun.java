package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.jdbc.PostgresqlProcess;
import io.github.ratelimit.redis.RedisProcess;

/**
 * This starter on PostgreSQL, beside itself on Redis and Bucket4j on PostgreSQL. It takes
 * about eight minutes.
 */
final class PostgresqlRun {

	private static final List<Scenario> SCENARIOS = List.of(Scenario.HOT_ALLOWED, Scenario.SPREAD, Scenario.HOT_DENIED,
			Scenario.SPREAD_DENIED);

	private static final List<Load> LOADS = List.of(Load.ONE, new Load(8, true), Load.BLOCKING);

	private static final int ROUNDS = 5;

	private static final Duration WARM_UP = Duration.ofMillis(500);

	private static final Duration TIME = Duration.ofSeconds(1);

	private final Settings settings;

	private final Report report;

	PostgresqlRun(Settings settings, Report report) {
		this.settings = settings.repeating(ROUNDS);
		this.report = report;
	}

	void run() {
		Machine before = Machine.now();
		Results results = measure();
		this.report.part("postgresql", table(results) + "\n" + before.disturbances());
		this.report.part("postgresql-bars", Bar.table(bars(results)).toString());
	}

	private Results measure() {
		try (RedisProcess redis = RedisProcess.start();
				PostgresqlProcess postgresql = PostgresqlProcess.start();
				Contender ours = new Known(Ours.onPostgresql(postgresql.url(), PostgresqlProcess.USER));
				Contender onRedis = new Known(Ours.standard(redis.port()));
				Contender bucket4j = new Known(new Bucket4jPostgresql(postgresql))) {
			Measurement inTables = new Measurement(
					List.of(new PostgresqlUnderLoad(postgresql, "ratelimit_count, " + Bucket4jPostgresql.TABLE)),
					WARM_UP, TIME);
			Measurement inRedis = new Measurement(MeasuredServer.of(List.of(redis)), WARM_UP, TIME);
			return new Rounds(this.settings, this.report).run(
					List.of(new Turn(inTables, ours), new Turn(inRedis, onRedis), new Turn(inTables, bucket4j)),
					SCENARIOS, LOADS);
		}
	}

	private static Table table(Results results) {
		Table table = new Table(List.of("", "decisions a second", "× Bucket4j", "p50 / p99",
				"processor time of the server for a decision"));
		for (Scenario scenario : SCENARIOS) {
			for (Load load : LOADS) {
				results.contenders().forEach((name) -> table.row(row(results, new Cell(name, scenario, load))));
			}
		}
		return table;
	}

	private static List<String> row(Results results, Cell cell) {
		return List.of(cell.scenario().title() + ", " + cell.load().title() + ": " + cell.contender(),
				Numbers.brief(results.median(cell, Figures::perSecond)) + results.mark(cell),
				Numbers.brief(timesBucket4j(results, cell)),
				Numbers.micros(results.median(cell, Figures::p50)) + " / "
						+ Numbers.micros(results.median(cell, Figures::p99)),
				Numbers.micros(results.median(cell, Figures::serverMicros)));
	}

	private static List<Bar> bars(Results results) {
		List<Bar> bars = new ArrayList<>();
		for (Scenario scenario : SCENARIOS) {
			bars.add(bar(results, scenario, Load.ONE, 1));
			bars.add(bar(results, scenario, Load.BLOCKING, (scenario.keys().size() == 1) ? 5 : 1.5));
		}
		return bars;
	}

	private static Bar bar(Results results, Scenario scenario, Load load, double bound) {
		return Bar.atLeast(bound, scenario.title() + ", " + load.title() + ": × " + Bucket4jPostgresql.NAME,
				timesBucket4j(results, new Cell(Ours.ON_POSTGRESQL, scenario, load)));
	}

	private static double timesBucket4j(Results results, Cell cell) {
		return results.ratio(cell, new Cell(Bucket4jPostgresql.NAME, cell.scenario(), cell.load()), Figures::perSecond);
	}

}

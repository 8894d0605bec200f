package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.redis.RedisProcess;

/**
 * The processor time of a decision, in Redis and in its instance, by the way that calls
 * reach Redis. It is the constants of a page on capacity, so it is of the repetition that
 * other work on the machine disturbed least.
 */
final class CapacityRun {

	private static final List<Load> LOADS = List.of(Load.BLOCKING, Load.ASYNC);

	/** The microseconds below which a time is written as 0.00. */
	private static final double NOTHING = 0.005;

	private static final int ROUNDS = 8;

	private static final Duration TIME = Duration.ofMillis(300);

	private final Settings settings;

	private final Report report;

	CapacityRun(Settings settings, Report report) {
		this.settings = settings.repeating(ROUNDS);
		this.report = report;
	}

	void run() {
		Machine before = Machine.now();
		Table table = table(measure());
		this.report.part("capacity", table + "\n" + before.disturbances());
	}

	private Results measure() {
		try (RedisProcess redis = RedisProcess.start();
				Contender single = Ours.withoutShortcuts(redis.port());
				Contender ours = Ours.standard(redis.port());
				Contender prefetching = Ours.prefetching(redis.port());
				Contender several = Several.on(redis.port())) {
			Measurement measurement = new Measurement(MeasuredServer.of(List.of(redis)), TIME, TIME);
			List<Turn> turns = Stream.of(single, several, ours, prefetching)
				.map((contender) -> new Turn(measurement, contender))
				.toList();
			return new Rounds(this.settings, this.report).run(turns, Scenario.UNDER_LOAD, LOADS);
		}
	}

	private static Table table(Results results) {
		Table table = new Table(List.of("", "script runs for a decision", "processor time of Redis",
				"decisions a second of a core of Redis", "processor time of an instance",
				"decisions a second of a core of instances"));
		for (Scenario scenario : Scenario.UNDER_LOAD) {
			for (Load load : LOADS) {
				results.contenders().forEach((name) -> table.row(row(results, new Cell(name, scenario, load))));
			}
		}
		return table;
	}

	private static List<String> row(Results results, Cell cell) {
		ToDoubleFunction<Figures> server = Figures::serverMicros;
		ToDoubleFunction<Figures> client = Figures::clientMicros;
		return List.of(cell.scenario().title() + ", " + cell.load().title() + ": " + cell.contender(),
				Numbers.brief(results.best(cell, Figures::runs)), Numbers.micros(results.best(cell, server)),
				perCore(results.best(cell, server)), Numbers.micros(results.best(cell, client)),
				perCore(results.best(cell, client)));
	}

	/** Returns how many a second fill a core; not a number if they take no time. */
	private static String perCore(double micros) {
		return Numbers.brief((micros < NOTHING) ? Double.NaN : 1e6 / micros);
	}

}

package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.benchmarks.simulation.Costs;
import io.github.ratelimit.benchmarks.simulation.Fleet;
import io.github.ratelimit.benchmarks.simulation.Fleet.Outcome;
import io.github.ratelimit.benchmarks.simulation.Setup;
import io.github.ratelimit.benchmarks.simulation.ThousandInstances;
import io.github.ratelimit.benchmarks.simulation.Traffic;
import io.github.ratelimit.redis.RedisProcess;

/**
 * A model of a large fleet, with costs measured on this machine. It first predicts other
 * figures of this machine, to be judged by these.
 */
final class ScaleRun {

	private static final int ROUNDS = 8;

	private static final Duration TIME = Duration.ofMillis(150);

	/** The ratio up to which a prediction is right. */
	private static final double CLOSE = 1.2;

	private final Settings settings;

	private final Report report;

	ScaleRun(Settings settings, Report report) {
		this.settings = settings.repeating(ROUNDS);
		this.report = report;
	}

	void run() {
		Machine before = Machine.now();
		Results results = measure();
		Costs costs = new Calibration(results).costs();
		this.report.part("scale-check", check(results, costs) + "\n" + before.disturbances());
		new ThousandInstances(costs, this.report).run();
	}

	private Results measure() {
		try (RedisProcess redis = RedisProcess.start();
				Contender single = Ours.withoutShortcuts(redis.port());
				Contender ours = Ours.standard(redis.port());
				Contender several = Several.on(redis.port())) {
			Measurement measurement = new Measurement(MeasuredServer.of(List.of(redis)), TIME, TIME);
			Turn alone = new Turn(measurement, single);
			Turn turn = new Turn(measurement, ours);
			Rounds rounds = new Rounds(this.settings, this.report);
			Results results = rounds.run(List.of(alone, turn), List.of(Scenario.SPREAD), Load.ALL);
			results.addAll(rounds.run(List.of(turn), List.of(Scenario.HOT_ALLOWED, Scenario.HOT_DENIED), Load.ALL));
			results.addAll(rounds.run(List.of(new Turn(measurement, several)),
					List.of(Scenario.SPREAD, Scenario.HOT_ALLOWED), List.of(Load.BLOCKING, Load.ASYNC)));
			return results;
		}
	}

	private String check(Results results, Costs costs) {
		Table table = new Table(
				List.of("decisions a second", "predicted", "measured", "ratio", "within 20 %", "processors in use"));
		for (Cell cell : cells()) {
			double measured = results.best(cell, Figures::perSecond);
			double predicted = predict(cell, costs).perSecond();
			double ratio = predicted / measured;
			table.row(List.of(cell.contender() + ": " + cell.scenario().title() + ", " + cell.load().title(),
					Numbers.brief(predicted), Numbers.brief(measured), Numbers.brief(ratio),
					(ratio <= CLOSE && ratio >= 1 / CLOSE) ? "yes" : "**no**",
					Numbers.brief(results.best(cell, ScaleRun::processors))));
		}
		return table.toString();
	}

	/** Returns the processors that Redis and the client had, of those of the machine. */
	private static double processors(Figures figures) {
		return figures.perSecond() * (figures.serverMicros() + figures.clientMicros()) / 1e6;
	}

	private static List<Cell> cells() {
		List<Cell> cells = new ArrayList<>();
		for (Scenario scenario : Scenario.UNDER_LOAD) {
			Load.ALL.forEach((load) -> cells.add(new Cell(Ours.NAME, scenario, load)));
		}
		for (Load load : List.of(Load.BLOCKING, Load.ASYNC)) {
			cells.add(new Cell(Several.NAME, Scenario.SPREAD, load));
			cells.add(new Cell(Several.NAME, Scenario.HOT_ALLOWED, load));
		}
		return cells;
	}

	private static Outcome predict(Cell cell, Costs costs) {
		int instances = cell.contender().equals(Several.NAME) ? Several.COUNT : 1;
		Traffic.Keys keys = Traffic.Keys.uniform(cell.scenario().keys().size());
		Traffic traffic = Traffic.inFlight(keys, cell.load().calls() / instances, cell.load().blocking());
		Traffic.Limit limit = cell.scenario().allows() ? Traffic.Limit.NONE : new Traffic.Limit(1 / 3600.0, 1, 0);
		int processors = Runtime.getRuntime().availableProcessors();
		return new Fleet(new Setup(costs, instances, 1, processors, true, 0, traffic, limit)).measure(20_000, 100_000);
	}

}

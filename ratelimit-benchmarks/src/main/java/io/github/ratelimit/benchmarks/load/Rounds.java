package io.github.ratelimit.benchmarks.load;

import java.util.List;

import io.github.ratelimit.benchmarks.report.Report;

/**
 * The repetitions of a run, in each of which all contenders take turns.
 */
final class Rounds {

	private final Settings settings;

	private final Report report;

	Rounds(Settings settings, Report report) {
		this.settings = settings;
		this.report = report;
	}

	/**
	 * Measures each contender in each scenario under each load. A first round in one
	 * scenario does not count, as code that has just been loaded is slow.
	 */
	Results run(List<Turn> turns, List<Scenario> scenarios, List<Load> loads) {
		round(0, turns, scenarios.subList(0, 1), loads, new Results());
		Results results = new Results();
		for (int round = 1; round <= this.settings.repetitions(); round++) {
			round(round, turns, scenarios, loads, results);
		}
		return results;
	}

	private void round(int number, List<Turn> turns, List<Scenario> scenarios, List<Load> loads, Results results) {
		for (Scenario scenario : scenarios) {
			for (Load load : loads.stream().filter((load) -> this.settings.measures(scenario, load)).toList()) {
				this.report.progress("round %d: %s, %s".formatted(number, scenario.title(), load.title()));
				turns.stream()
					.filter((turn) -> turn.canDo(scenario, load))
					.forEach((turn) -> take(turn, scenario, load, results));
			}
		}
	}

	private void take(Turn turn, Scenario scenario, Load load, Results results) {
		try {
			results.add(new Cell(turn.name(), scenario, load), turn.measure(scenario, load));
		}
		catch (RuntimeException ex) {
			this.report.progress("no figures for %s: %s, %s".formatted(turn.name(), ex, ex.getCause()));
		}
	}

}

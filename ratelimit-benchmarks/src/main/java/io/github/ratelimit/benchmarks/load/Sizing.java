package io.github.ratelimit.benchmarks.load;

import java.util.List;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Table;

/**
 * Resources for a million decisions a second, from those of one on one Redis.
 *
 * @param results what was measured there
 * @param footprints what Redis remembers of a caller
 */
record Sizing(Results results, List<Footprint> footprints) {

	private static final double DECISIONS = 1e6;

	private static final double CALLERS = 1e7;

	/** How busy a master may be while calls must not queue for long. */
	private static final double BUSY = 0.6;

	/** Bytes that Redis' tables use for a key that expires. */
	private static final double TABLES = 50;

	private static final double GIGA = 1L << 30;

	Table table() {
		Table table = new Table(List.of("", "processor time for a decision", "processors for a million a second",
				"masters that are 60 % busy", "memory for 10 million callers"));
		for (Footprint footprint : this.footprints) {
			double micros = this.results.median(new Cell(footprint.contender(), Scenario.SPREAD, load(footprint)),
					Figures::serverMicros);
			double processors = micros * DECISIONS / 1e6;
			table.row(List.of(footprint.contender(), Numbers.micros(micros), Numbers.brief(processors),
					Long.toString((long) Math.ceil(processors / BUSY)),
					Numbers.brief((footprint.bytes() + TABLES * footprint.keys()) * CALLERS / GIGA) + " GiB"));
		}
		return table;
	}

	/** Without blocking, where it can. */
	private Load load(Footprint footprint) {
		return (this.results.median(new Cell(footprint.contender(), Scenario.SPREAD, Load.ASYNC)) != null) ? Load.ASYNC
				: Load.BLOCKING;
	}

}

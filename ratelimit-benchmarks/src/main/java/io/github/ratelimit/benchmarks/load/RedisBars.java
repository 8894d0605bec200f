package io.github.ratelimit.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Targets of this starter on one Redis, relative to others in the same run.
 *
 * @param results what was measured
 */
record RedisBars(Results results) {

	List<Bar> all() {
		List<Bar> bars = new ArrayList<>();
		spread(bars);
		hot(bars);
		for (Load load : List.of(Load.BLOCKING, Load.ASYNC)) {
			bars.add(Bar.atMost(1.3, "bytes allocated, " + load.title() + ": × raw Lettuce",
					ratio(Scenario.SPREAD, load, Figures::allocated, RawLettuce.NAME)));
		}
		return bars;
	}

	private void spread(List<Bar> bars) {
		bars.add(Bar.atMost(1.1, "p50 of one caller: × raw Lettuce",
				ratio(Scenario.SPREAD, Load.ONE, Figures::p50, RawLettuce.NAME)));
		bars.add(Bar.atLeast(0.95, "10,000 keys, 64 blocking: × raw Lettuce",
				speed(Scenario.SPREAD, Load.BLOCKING, RawLettuce.NAME)));
		bars.add(Bar.atLeast(2, "10,000 keys, 256 async: × raw Lettuce",
				speed(Scenario.SPREAD, Load.ASYNC, RawLettuce.NAME)));
		bars.add(Bar.atLeast(0.9, "10,000 keys, 256 async: × raw Lettuce, flushes consolidated",
				speed(Scenario.SPREAD, Load.ASYNC, RawLettuce.CONSOLIDATED)));
	}

	private void hot(List<Bar> bars) {
		bars.add(Bar.atLeast(1, "one hot key, allowed, 256 async: × Bucket4j, batching",
				speed(Scenario.HOT_ALLOWED, Load.ASYNC, Bucket4j.BATCHING)));
		bars.add(Bar.atLeast(7, "one hot key, allowed, 256 async: × raw Lettuce",
				speed(Scenario.HOT_ALLOWED, Load.ASYNC, RawLettuce.NAME)));
		bars.add(Bar.atLeast(1.2, "one hot key, allowed, 64 blocking: × Bucket4j, batching",
				speed(Scenario.HOT_ALLOWED, Load.BLOCKING, Bucket4j.BATCHING)));
		for (Load load : List.of(Load.BLOCKING, Load.ASYNC)) {
			bars.add(Bar.atLeast(5e6, "one hot key, denied, " + load.title() + ": decisions a second",
					ours(Scenario.HOT_DENIED, load, Figures::perSecond)));
		}
	}

	private double speed(Scenario scenario, Load load, String other) {
		return ratio(scenario, load, Figures::perSecond, other);
	}

	private double ratio(Scenario scenario, Load load, ToDoubleFunction<Figures> figure, String other) {
		return this.results.ratio(new Cell(Ours.NAME, scenario, load), new Cell(other, scenario, load), figure);
	}

	private double ours(Scenario scenario, Load load, ToDoubleFunction<Figures> figure) {
		return this.results.median(new Cell(Ours.NAME, scenario, load), figure);
	}

}

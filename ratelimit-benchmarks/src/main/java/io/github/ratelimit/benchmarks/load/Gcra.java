package io.github.ratelimit.benchmarks.load;

import java.util.concurrent.TimeUnit;

/**
 * What the minimal GCRA takes beside a key, as a scenario asks.
 *
 * @param interval microseconds per permit
 * @param most microseconds that may be spent ahead
 */
record Gcra(String interval, String most) {

	static final String KEY = "gcra:";

	static Gcra of(Scenario scenario) {
		long interval = TimeUnit.NANOSECONDS.toMicros(scenario.refill().toNanos());
		return new Gcra(Long.toString(interval), Long.toString(interval * scenario.burst()));
	}

}

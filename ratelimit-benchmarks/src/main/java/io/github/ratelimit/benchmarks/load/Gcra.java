package io.github.ratelimit.benchmarks.load;

import java.util.concurrent.TimeUnit;

/**
 * Arguments of the minimal GCRA other than the key, for a scenario.
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

package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * Measures one contender in one scenario under one load, on servers that are emptied
 * before.
 *
 * @param servers where the counts live
 * @param warmUp for how long calls are not measured
 * @param time for how long they are
 */
record Measurement(List<MeasuredServer> servers, Duration warmUp, Duration time) {

	Figures of(Contender contender, Scenario scenario, Load load) {
		this.servers.forEach(MeasuredServer::clear);
		contender.prepare(scenario);
		Phase phase = new Phase();
		Calls calls = Calls.start(contender, scenario, load, phase);
		try {
			phase.goOnFor(this.warmUp);
			Meters used = measured(phase);
			phase.end();
			calls.awaitEnd();
			return figures(calls, used);
		}
		finally {
			phase.end();
		}
	}

	private Meters measured(Phase phase) {
		Meters before = Meters.read(this.servers);
		phase.measure();
		phase.goOnFor(this.time);
		phase.stopMeasuring();
		return Meters.read(this.servers).since(before);
	}

	private static Figures figures(Calls calls, Meters used) {
		Histogram latencies = calls.latencies();
		long count = latencies.getTotalCount();
		if (calls.unexpected() > count / 100) {
			throw new IllegalStateException(calls.unexpected() + " of " + count + " calls were answered wrongly");
		}
		double total = used.serverMicros().stream().mapToDouble(Double::doubleValue).sum();
		double busiest = Collections.max(used.serverMicros());
		return new Figures(count * 1e9 / used.nanos(), latencies.getValueAtPercentile(50) / 1e3,
				latencies.getValueAtPercentile(99) / 1e3, total / count, busiest / count, used.runs() / count,
				used.clientMicros() / count, (double) used.allocated() / count);
	}

}

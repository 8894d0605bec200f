package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Figures of one measurement.
 *
 * @param perSecond decisions a second
 * @param p50 how long half of the calls took at most, in microseconds
 * @param p99 how long all but one in a hundred took at most, in microseconds
 * @param serverMicros for how long processors were busy in all of Redis for a decision
 * @param busiestMicros for how long they were in the busiest server
 * @param runs script runs for a decision
 * @param clientMicros for how long processors were busy in this JVM for a decision
 * @param allocated bytes that the client's threads allocated for a decision
 */
record Figures(double perSecond, double p50, double p99, double serverMicros, double busiestMicros, double runs,
		double clientMicros, double allocated) {

	/** The median of each figure. */
	static Figures median(List<Figures> runs) {
		return new Figures(median(runs, Figures::perSecond), median(runs, Figures::p50), median(runs, Figures::p99),
				median(runs, Figures::serverMicros), median(runs, Figures::busiestMicros), median(runs, Figures::runs),
				median(runs, Figures::clientMicros), median(runs, Figures::allocated));
	}

	private static double median(List<Figures> runs, ToDoubleFunction<Figures> figure) {
		return median(runs.stream().mapToDouble(figure).toArray());
	}

	/** The median of some numbers. */
	static double median(double[] numbers) {
		double[] sorted = DoubleStream.of(numbers).sorted().toArray();
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

}

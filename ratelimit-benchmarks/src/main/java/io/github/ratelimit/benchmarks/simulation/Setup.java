package io.github.ratelimit.benchmarks.simulation;

import io.github.ratelimit.benchmarks.simulation.Traffic.Limit;

/**
 * A fleet to simulate.
 *
 * @param costs the processor times
 * @param instances the application instances
 * @param masters the Redis masters
 * @param processors the processors of each instance, or of the one machine
 * @param oneMachine whether instances and masters share one machine
 * @param roundTrip the time on the network to Redis and back
 * @param traffic the calls of each instance
 * @param limit the limit of each key
 */
public record Setup(Costs costs, int instances, int masters, int processors, boolean oneMachine, double roundTrip,
		Traffic traffic, Limit limit) {

	/** Returns whether different keys share commands, which a cluster rules out. */
	boolean batches() {
		return this.masters == 1 && this.limit.prefetch() == 0;
	}

}

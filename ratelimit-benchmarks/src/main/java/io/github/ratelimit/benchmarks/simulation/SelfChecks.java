package io.github.ratelimit.benchmarks.simulation;

import java.util.SplittableRandom;

import io.github.ratelimit.benchmarks.simulation.Traffic.Keys;
import io.github.ratelimit.benchmarks.simulation.Traffic.Limit;

/**
 * Laws that any model of queues must obey. A simulation that breaks one is wrong.
 */
final class SelfChecks {

	private static final Costs COSTS = new Costs(new Costs.Server(20, 5, 3, 5, 2, 100),
			new Costs.Client(20, 5, 1, 2, 0.2, 10, 0.1));

	private SelfChecks() {
	}

	static void verify() {
		waitingTimeIsThatOfTheFormula();
		callsInFlightFollowLittlesLaw();
		noCallIsLost();
		runsAreRepeatable();
	}

	/** Compares a thread without rounds to the queue M/D/1. */
	private static void waitingTimeIsThatOfTheFormula() {
		double service = 10;
		double load = 0.7;
		Calendar calendar = new Calendar();
		Worker worker = new Worker(new Processors(calendar, 1), 0, 1, () -> {
		});
		double[] waited = new double[1];
		int jobs = 1_000_000;
		SplittableRandom random = new SplittableRandom(2);
		for (int job = 0; job < jobs; job++) {
			calendar.runFor(-Math.log(1 - random.nextDouble()) * service / load);
			double came = calendar.now();
			worker.add((offset) -> {
				waited[0] += calendar.now() - came;
				return service;
			});
		}
		near("the mean wait of M/D/1", waited[0] / jobs, load * service / (2 * (1 - load)), 0.02);
	}

	private static void callsInFlightFollowLittlesLaw() {
		Fleet fleet = new Fleet(setup(50, 4, Keys.uniform(10_000), 4000, Limit.NONE));
		fleet.measure(50_000, 500_000);
		near("calls in flight by Little's law", fleet.tally().totalMicros(), fleet.tally().inFlightMicros(), 0.01);
	}

	/** Counts calls twice, where they begin and end, and what masters decided. */
	private static void noCallIsLost() {
		for (Limit limit : new Limit[] { Limit.NONE, Limit.of(1000) }) {
			Fleet fleet = new Fleet(setup(20, 1, Keys.uniform(50), 5000, limit));
			fleet.runFor(300_000);
			fleet.drain();
			same("calls that ended", fleet.tally().decided(), fleet.tally().begun());
			same("calls that Redis decided", fleet.tally().byRedis(), fleet.decisions());
		}
		Fleet failing = new Fleet(setup(20, 2, Keys.uniform(1000), 1000, Limit.NONE));
		failing.runFor(500_000);
		failing.setUp(false);
		failing.runFor(500_000);
		failing.setUp(true);
		failing.runFor(3_000_000);
		failing.drain();
		same("calls that ended around a failover", failing.tally().decided() + failing.tally().failed(),
				failing.tally().begun());
		near("the connections that are normal after it", failing.normal(), 1, 0);
	}

	private static void runsAreRepeatable() {
		Setup setup = setup(20, 2, Keys.skewed(1000), 2000, Limit.of(100));
		near("the median of a repetition", new Fleet(setup).measure(50_000, 100_000).p50(),
				new Fleet(setup).measure(50_000, 100_000).p50(), 0);
	}

	private static Setup setup(int instances, int masters, Keys keys, double perSecond, Limit limit) {
		return new Setup(COSTS, instances, masters, 4, false, 500, Traffic.atRandom(keys, perSecond), limit);
	}

	private static void same(String what, long found, long expected) {
		if (found != expected) {
			throw new IllegalStateException("The model is wrong: " + what + " were " + found + ", not " + expected);
		}
	}

	private static void near(String what, double found, double expected, double tolerance) {
		if (!(Math.abs(found - expected) <= tolerance * expected)) {
			throw new IllegalStateException("The model is wrong: " + what + " was " + found + ", not " + expected);
		}
	}

}

package io.github.ratelimit.benchmarks.load;

import java.util.function.ToDoubleFunction;

import io.github.ratelimit.benchmarks.simulation.Costs;

/**
 * Costs for a model, from processor times of a few measurements. No rate and no latency
 * is used, so the model has to predict these.
 *
 * @param results the measurements
 */
record Calibration(Results results) {

	/**
	 * The share of a command that a decision in a full batch saves is 31/32; this is its
	 * inverse.
	 */
	private static final double BATCH = 32 / 31.0;

	/** How often the event loop wakes up for a call alone: to write and to read. */
	private static final double WAKES = 2;

	/** Assumed, not measured: an accepted socket and three commands. */
	private static final double CONNECT = 100;

	Costs costs() {
		return new Costs(server(), client());
	}

	private Costs.Server server() {
		double single = single(Load.ASYNC, Figures::serverMicros);
		double run = atLeastZero((single - ours(Scenario.SPREAD, Figures::serverMicros)) * BATCH);
		double alone = single(Load.ONE, Figures::serverMicros);
		double read = read();
		double shared = ours(Scenario.HOT_ALLOWED, Figures::serverMicros) / ours(Scenario.HOT_ALLOWED, Figures::runs)
				- alone;
		return new Costs.Server(atLeastZero(alone - read - single), read, run, single - run, atLeastZero(shared),
				CONNECT);
	}

	private Costs.Client client() {
		double single = single(Load.ASYNC, Figures::clientMicros);
		double run = atLeastZero((single - ours(Scenario.SPREAD, Figures::clientMicros)) * BATCH);
		double blocking = single(Load.BLOCKING, Figures::clientMicros);
		double wake = atLeastZero(single(Load.ONE, Figures::clientMicros) - blocking - read()) / WAKES;
		double shared = ours(Scenario.HOT_ALLOWED, Figures::clientMicros)
				- (wake + read() + run) * ours(Scenario.HOT_ALLOWED, Figures::runs);
		double local = this.results.best(new Cell(Ours.NAME, Scenario.HOT_DENIED, Load.ONE), Figures::clientMicros);
		return new Costs.Client(wake, read(), run, single - run, atLeastZero(shared), atLeastZero(blocking - single),
				local);
	}

	/**
	 * Returns the cost of a connection with one command at a time. It is that of system
	 * calls, so the same for Redis and the client.
	 */
	private double read() {
		Cell cell = new Cell(Several.NAME, Scenario.SPREAD, Load.BLOCKING);
		return atLeastZero(this.results.best(cell, Figures::serverMicros) - single(Load.ASYNC, Figures::serverMicros));
	}

	/** Returns a figure of single calls, none of which share runs. */
	private double single(Load load, ToDoubleFunction<Figures> figure) {
		return this.results.best(new Cell(Ours.WITHOUT_SHORTCUTS, Scenario.SPREAD, load), figure);
	}

	private double ours(Scenario scenario, ToDoubleFunction<Figures> figure) {
		return this.results.best(new Cell(Ours.NAME, scenario, Load.ASYNC), figure);
	}

	private static double atLeastZero(double micros) {
		return Math.max(0, micros);
	}

}

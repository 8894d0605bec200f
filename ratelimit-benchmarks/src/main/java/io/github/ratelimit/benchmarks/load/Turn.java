package io.github.ratelimit.benchmarks.load;

/**
 * Who is measured, and where.
 *
 * @param measurement on which servers, and for how long
 * @param contender who
 */
record Turn(Measurement measurement, Contender contender) {

	String name() {
		return this.contender.name();
	}

	boolean canDo(Scenario scenario, Load load) {
		return this.contender.canDo(scenario) && (load.blocking() || this.contender.isAsync());
	}

	Figures measure(Scenario scenario, Load load) {
		return this.measurement.of(this.contender, scenario, load);
	}

}

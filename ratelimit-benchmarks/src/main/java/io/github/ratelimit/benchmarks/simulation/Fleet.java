package io.github.ratelimit.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A simulated fleet of instances and masters, the same at each run.
 */
public final class Fleet {

	private final Calendar calendar = new Calendar();

	private final Tally tally = new Tally(this.calendar);

	private final List<Processors> clients = new ArrayList<>();

	private final List<Master> masters;

	private final List<Instance> instances;

	private final List<Link> links = new ArrayList<>();

	/** Creates a fleet whose calls begin now. */
	public Fleet(Setup setup) {
		SplittableRandom random = new SplittableRandom(1);
		Processors shared = new Processors(this.calendar, setup.processors());
		this.masters = IntStream.range(0, setup.masters())
			.mapToObj((number) -> setup.oneMachine() ? shared : new Processors(this.calendar, 1))
			.map((processors) -> new Master(this.calendar, processors, setup.costs().server(), setup.limit()))
			.toList();
		this.instances = IntStream.range(0, setup.instances()).mapToObj((number) -> {
			Processors own = setup.oneMachine() ? shared : new Processors(this.calendar, setup.processors());
			this.clients.add(own);
			return new Instance(this.calendar, setup, own, this.tally, random.split());
		}).toList();
		this.instances.forEach((instance) -> this.links.addAll(instance.connect(this.masters)));
		this.instances.forEach(Instance::start);
	}

	/** Returns what is measured from now on, after some time that is not. */
	public Outcome measure(double warmUp, double micros) {
		this.calendar.runFor(warmUp);
		this.tally.reset();
		long runs = runs();
		double client = clientMicros();
		double[] before = serverMicros();
		this.calendar.runFor(micros);
		double[] after = serverMicros();
		double all = IntStream.range(0, before.length).mapToDouble((i) -> after[i] - before[i]).sum();
		double busiest = IntStream.range(0, before.length).mapToDouble((i) -> after[i] - before[i]).max().orElse(0);
		double seconds = micros / 1e6;
		return new Outcome(this.tally.decided() / seconds, this.tally.failed() / seconds, this.tally.percentile(50),
				this.tally.percentile(99), (runs() - runs) / seconds, busiest / micros, all / before.length / micros,
				(clientMicros() - client) / micros);
	}

	/** Lets the calls in flight end. */
	void drain() {
		this.instances.forEach(Instance::stop);
		this.calendar.runToEnd();
	}

	void runFor(double micros) {
		this.calendar.runFor(micros);
	}

	/** Ends all masters and their connections, or lets their successors begin. */
	void setUp(boolean up) {
		this.masters.forEach((master) -> master.setUp(up));
		if (!up) {
			this.links.forEach(Link::disconnect);
		}
	}

	Tally tally() {
		return this.tally;
	}

	/** Returns the script runs of all masters. */
	long runs() {
		return this.masters.stream().mapToLong(Master::runs).sum();
	}

	/** Returns the calls that all masters decided. */
	long decisions() {
		return this.masters.stream().mapToLong(Master::decisions).sum();
	}

	/** Returns the share of connections that are open, with a closed breaker. */
	double normal() {
		return this.links.stream().filter(Link::isNormal).count() / (double) this.links.size();
	}

	private double clientMicros() {
		return this.clients.stream().mapToDouble(Processors::busyMicros).sum();
	}

	private double[] serverMicros() {
		return this.masters.stream().mapToDouble(Master::busyMicros).toArray();
	}

	/**
	 * Result of a simulation.
	 *
	 * @param perSecond decisions a second
	 * @param failedPerSecond calls a second that Redis did not decide
	 * @param p50 how long half of the calls took at most
	 * @param p99 how long all but one in a hundred took at most
	 * @param runsPerSecond script runs a second
	 * @param busiest how busy the busiest master was, from 0 to 1
	 * @param busy how busy all were on average
	 * @param clients the processors of all instances that were busy
	 */
	public record Outcome(double perSecond, double failedPerSecond, double p50, double p99, double runsPerSecond,
			double busiest, double busy, double clients) {

	}

}

package io.github.ratelimit.benchmarks.simulation;

import java.util.List;

import io.github.ratelimit.benchmarks.report.Numbers;
import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.benchmarks.report.Table;
import io.github.ratelimit.benchmarks.simulation.Fleet.Outcome;
import io.github.ratelimit.benchmarks.simulation.Traffic.Keys;
import io.github.ratelimit.benchmarks.simulation.Traffic.Limit;

/**
 * A thousand instances with ten million keys: what masters carry, what a hot key costs,
 * what follows a failover, and where each ends.
 */
public final class ThousandInstances {

	static final int INSTANCES = 1000;

	static final Keys KEYS = Keys.uniform(10_000_000);

	private static final Keys SKEWED = Keys.skewed(10_000_000);

	/** The share of calls for the most frequent of these keys. */
	private static final double HOTTEST = Math.log(2) / Math.log(10_000_000);

	private static final int PROCESSORS = 4;

	private static final double ROUND_TRIP = 500;

	/** How busy a master may be while calls must not queue for long. */
	static final double BUSY = 0.6;

	private final Costs costs;

	private final Report report;

	/**
	 * Creates the fleet.
	 * @param costs the processor times that were measured
	 */
	public ThousandInstances(Costs costs, Report report) {
		this.costs = costs;
		this.report = report;
	}

	/** Simulates and reports, after a check that the model obeys the laws of queues. */
	public void run() {
		SelfChecks.verify();
		this.report.part("scale-costs", costs());
		this.report.part("scale-masters", masters());
		this.report.part("scale-skew", skew());
		new LoadStudy(this, this.report).run();
		HotKeyStudy hotKey = new HotKeyStudy(this, this.report);
		hotKey.run();
		new FailoverStudy(this, this.report).run();
		this.report.part("scale-limits", limits(hotKey));
	}

	/** Returns a fleet with calls at random times. */
	Fleet fleet(int instances, int masters, Keys keys, double perSecond, Limit limit) {
		Traffic traffic = Traffic.atRandom(keys, perSecond / instances);
		return new Fleet(new Setup(this.costs, instances, masters, PROCESSORS, false, ROUND_TRIP, traffic, limit));
	}

	/**
	 * Returns the decisions a second that fill a master, each on a connection of its own.
	 */
	double capacity() {
		return 1e6 / this.costs.server().single();
	}

	/** Returns the decisions a second that fill a master if each is for several calls. */
	double sharedCapacity() {
		return 1e6 / (this.costs.server().single() + this.costs.server().shared());
	}

	private String costs() {
		Costs.Server server = this.costs.server();
		Costs.Client client = this.costs.client();
		Table table = new Table(List.of("processor time", "Redis", "an instance"));
		table.row(List.of("to sleep and wake up", Numbers.micros(server.wake()), Numbers.micros(client.wake())));
		table.row(List.of("to read from a connection and write to it", Numbers.micros(server.read()),
				Numbers.micros(client.read())));
		table.row(List.of("a script run", Numbers.micros(server.run()), Numbers.micros(client.run())));
		table.row(List.of("a decision", Numbers.micros(server.decision()), Numbers.micros(client.decision())));
		table.row(List.of("a decision that several calls share: in addition / for each call",
				Numbers.micros(server.shared()), Numbers.micros(client.shared())));
		table.row(List.of("a thread that waits", "–", Numbers.micros(client.thread())));
		table.row(List.of("a call without Redis", "–", Numbers.micros(client.local())));
		return table.toString();
	}

	private String masters() {
		Table table = new Table(List.of("masters", "full at", "decisions a second at 60 %", "processors of masters",
				"of an instance", "p50 / p99"));
		for (int masters : new int[] { 1, 5, 10, 20, 50 }) {
			double perSecond = BUSY * masters * capacity();
			Outcome outcome = fleet(INSTANCES, masters, KEYS, perSecond, Limit.NONE).measure(50_000, 100_000);
			table.row(List.of(Integer.toString(masters), Numbers.brief(masters * capacity()) + "/s",
					Numbers.brief(outcome.perSecond()), Numbers.brief(outcome.busy() * masters),
					percent(outcome.clients() / INSTANCES), latency(outcome)));
		}
		return table.toString();
	}

	private String skew() {
		Table table = new Table(List.of("calls a second", "for the hottest key", "the busiest master", "all masters",
				"p50 / p99", "failed"));
		for (double share : new double[] { 0.1, 0.2, 0.3, 0.4, 0.6 }) {
			double perSecond = share * 50 * capacity();
			Outcome outcome = fleet(INSTANCES, 50, SKEWED, perSecond, Limit.NONE).measure(150_000, 100_000);
			table.row(List.of(Numbers.brief(perSecond), Numbers.brief(perSecond * HOTTEST) + "/s",
					percent(outcome.busiest()), percent(outcome.busy()), latency(outcome),
					percent(outcome.failedPerSecond() / perSecond)));
		}
		return table.toString();
	}

	private String limits(HotKeyStudy hotKey) {
		Table table = new Table(List.of("Limit", "Number"));
		table.row(List.of("decisions a second that fill a master", Numbers.brief(capacity())));
		table.row(List.of("calls a second for keys by Zipf's law that fill the hottest key's master",
				Numbers.brief(capacity() / HOTTEST)));
		table.row(List.of("instances on one hot key, allowed, that fill its master",
				Numbers.brief(hotKey.instancesThatFill(HotKeyStudy.ALLOWED))));
		table.row(List.of("instances on one hot key, denied by 100 a second, that fill its master",
				Numbers.brief(hotKey.instancesThatFill(HotKeyStudy.DENIED))));
		table.row(List.of("instances on one hot key of which calls time out",
				Numbers.brief(Link.TIMEOUT / 2 * sharedCapacity() / 1e6)));
		return table.toString();
	}

	static String latency(Outcome outcome) {
		return Numbers.micros(outcome.p50()) + " / " + Numbers.micros(outcome.p99());
	}

	static String whole(double number) {
		return Long.toString(Math.round(number));
	}

	static String percent(double share) {
		return Numbers.brief(share * 100) + " %";
	}

}

package io.github.ratelimit.benchmarks.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.benchmarks.simulation.Command.Request;
import io.github.ratelimit.benchmarks.simulation.Traffic.Limit;

/**
 * A Redis master: one thread, which in each round runs the scripts that have come on all
 * connections, and then replies.
 */
final class Master {

	private final Calendar calendar;

	private final Processors processors;

	private final Costs.Server costs;

	private final Limit limit;

	private final Worker thread;

	/** The moment at which the bucket of a key is full again. */
	private final Map<Integer, Double> fullAt = new HashMap<>();

	private Map<Link, List<Command>> replies = new LinkedHashMap<>();

	private boolean up = true;

	private long runs;

	private long decisions;

	Master(Calendar calendar, Processors processors, Costs.Server costs, Limit limit) {
		this.calendar = calendar;
		this.processors = processors;
		this.costs = costs;
		this.limit = limit;
		this.thread = new Worker(processors, costs.wake(), Integer.MAX_VALUE, this::reply);
	}

	void receive(Link link, List<Command> commands) {
		if (this.up) {
			commands.forEach((command) -> this.thread.add((offset) -> serve(link, command)));
		}
	}

	private double serve(Link link, Command command) {
		if (!this.up) {
			return 0;
		}
		double micros = this.replies.containsKey(link) ? 0 : this.costs.read();
		this.replies.computeIfAbsent(link, (missing) -> new ArrayList<>()).add(command);
		if (command.requests().isEmpty()) {
			return micros + this.costs.connect();
		}
		this.runs++;
		for (Request request : command.requests()) {
			decide(request);
			micros += this.costs.decision() + ((request.calls().size() > 1) ? this.costs.shared() : 0);
		}
		return micros + this.costs.run();
	}

	private void decide(Request request) {
		this.decisions += request.calls().size();
		for (int call = 0; call < request.calls().size() && Double.isFinite(this.limit.perSecond()); call++) {
			double interval = 1e6 / this.limit.perSecond();
			double now = this.calendar.now();
			double next = Math.max(now, this.fullAt.getOrDefault(request.key(), now)) + interval;
			double wait = next - now - this.limit.burst() * interval;
			request.deny(Math.max(0, wait));
			if (wait <= 0) {
				this.fullAt.put(request.key(), next);
			}
		}
	}

	private void reply() {
		this.replies.forEach(Link::reply);
		this.replies = new LinkedHashMap<>();
	}

	boolean isUp() {
		return this.up;
	}

	/** Loses its connections and all that has come on them, or takes new ones. */
	void setUp(boolean up) {
		this.up = up;
	}

	long runs() {
		return this.runs;
	}

	/** Returns the number of calls that were decided. */
	long decisions() {
		return this.decisions;
	}

	double busyMicros() {
		return this.processors.busyMicros();
	}

}

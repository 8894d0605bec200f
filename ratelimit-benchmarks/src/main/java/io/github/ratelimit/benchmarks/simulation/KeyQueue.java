package io.github.ratelimit.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.benchmarks.simulation.Command.Call;

/**
 * The calls for one key that wait for a run, behind those in flight. Another run may
 * start while these are few.
 */
final class KeyQueue {

	private static final int MOST_RUNS = 3;

	private static final int FEW_CALLS = 16;

	private final int mostRuns;

	private List<Call> queued = new ArrayList<>();

	private int runsInFlight;

	private int callsInFlight;

	/**
	 * Creates a queue of no calls.
	 * @param prefetches whether runs take permits in advance, which only one at a time
	 * may
	 */
	KeyQueue(boolean prefetches) {
		this.mostRuns = prefetches ? 1 : MOST_RUNS;
	}

	void add(Call call) {
		this.queued.add(call);
	}

	List<Call> queued() {
		return this.queued;
	}

	boolean mayStart() {
		return !this.queued.isEmpty()
				&& (this.runsInFlight == 0 || (this.runsInFlight < this.mostRuns && this.callsInFlight < FEW_CALLS));
	}

	/** Returns the calls of a run that starts. */
	List<Call> start() {
		List<Call> started = this.queued;
		this.queued = new ArrayList<>();
		this.runsInFlight++;
		this.callsInFlight += started.size();
		return started;
	}

	void runEnded(int calls) {
		this.runsInFlight--;
		this.callsInFlight -= calls;
	}

	boolean isOver() {
		return this.runsInFlight == 0 && this.queued.isEmpty();
	}

}

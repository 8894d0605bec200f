package io.github.ratelimit.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

import io.github.ratelimit.benchmarks.simulation.Command.Request;

/**
 * The rules by which requests for different keys share runs while Redis is busy.
 */
final class Batcher {

	private static final int FEW_REQUESTS = 8;

	private static final int LARGEST_BATCH = 32;

	private final int mostRuns;

	private final Consumer<Command> sender;

	private final Queue<Request> queued = new ArrayDeque<>();

	private int runsInFlight;

	private int requestsInFlight;

	Batcher(boolean blocking, Consumer<Command> sender) {
		this.mostRuns = blocking ? 2 : 4;
		this.sender = sender;
	}

	void run(Request request) {
		this.queued.add(request);
		startNext();
	}

	/**
	 * Starts the next run, before the requests of a batch end only if some are queued.
	 */
	void runEnding(Command command, Runnable requestsEnd) {
		boolean early = command.requests().size() == 1 || !this.queued.isEmpty();
		if (early) {
			runEnded(command);
		}
		requestsEnd.run();
		if (!early) {
			runEnded(command);
		}
	}

	private void runEnded(Command command) {
		this.runsInFlight--;
		this.requestsInFlight -= command.requests().size();
		startNext();
	}

	private void startNext() {
		boolean hasRoom = this.runsInFlight < this.mostRuns || this.requestsInFlight < FEW_REQUESTS
				|| this.queued.size() >= LARGEST_BATCH;
		if (!hasRoom || this.queued.isEmpty()) {
			return;
		}
		List<Request> batch = new ArrayList<>();
		while (batch.size() < LARGEST_BATCH && !this.queued.isEmpty()) {
			batch.add(this.queued.remove());
		}
		this.runsInFlight++;
		this.requestsInFlight += batch.size();
		this.sender.accept(new Command(batch, true));
	}

}

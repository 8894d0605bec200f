package io.github.ratelimit.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A thread that sleeps while it has no jobs. Otherwise, it does in each round those that
 * have come, as event loops do.
 */
final class Worker {

	private final Processors processors;

	private final double wakeMicros;

	private final int mostInRound;

	private final Runnable atRoundEnd;

	private final Queue<Job> jobs = new ArrayDeque<>();

	private boolean awake;

	/**
	 * Creates a thread.
	 * @param wakeMicros the cost to sleep and wake up
	 * @param mostInRound the most jobs in a round
	 * @param atRoundEnd follows each round
	 */
	Worker(Processors processors, double wakeMicros, int mostInRound, Runnable atRoundEnd) {
		this.processors = processors;
		this.wakeMicros = wakeMicros;
		this.mostInRound = mostInRound;
		this.atRoundEnd = atRoundEnd;
	}

	void add(Job job) {
		this.jobs.add(job);
		if (!this.awake) {
			this.awake = true;
			this.processors.run(() -> round(this.wakeMicros), this::roundEnded);
		}
	}

	private double round(double begin) {
		double offset = begin;
		for (int count = Math.min(this.jobs.size(), this.mostInRound); count > 0; count--) {
			offset += this.jobs.remove().serve(offset);
		}
		return offset;
	}

	private void roundEnded() {
		this.atRoundEnd.run();
		this.awake = !this.jobs.isEmpty();
		if (this.awake) {
			this.processors.run(() -> round(0), this::roundEnded);
		}
	}

	/** Something to do for a thread. */
	interface Job {

		/**
		 * Does the job and returns its cost.
		 * @param offset when in the round it begins
		 */
		double serve(double offset);

	}

}

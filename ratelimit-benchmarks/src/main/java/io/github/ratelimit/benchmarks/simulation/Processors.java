package io.github.ratelimit.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.DoubleSupplier;

/**
 * Equal processors of one machine, which run bursts of work in the order in which they
 * come.
 */
final class Processors {

	private final Calendar calendar;

	private final Queue<Burst> ready = new ArrayDeque<>();

	private int idle;

	private double busyMicros;

	Processors(Calendar calendar, int count) {
		this.calendar = calendar;
		this.idle = count;
	}

	/**
	 * Runs a burst once a processor is idle.
	 * @param begin returns how long it takes, when it begins
	 * @param end follows it
	 */
	void run(DoubleSupplier begin, Runnable end) {
		this.ready.add(new Burst(begin, end));
		if (this.idle > 0) {
			this.idle--;
			runNext();
		}
	}

	/** Counts work that is too short to keep others waiting. */
	void count(double micros) {
		this.busyMicros += micros;
	}

	double busyMicros() {
		return this.busyMicros;
	}

	private void runNext() {
		Burst burst = this.ready.poll();
		if (burst == null) {
			this.idle++;
			return;
		}
		double micros = burst.begin.getAsDouble();
		this.busyMicros += micros;
		this.calendar.after(micros, () -> {
			runNext();
			burst.end.run();
		});
	}

	private record Burst(DoubleSupplier begin, Runnable end) {

	}

}

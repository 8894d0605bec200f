package io.github.ratelimit.benchmarks.simulation;

import java.util.PriorityQueue;

/**
 * The clock of a simulation and its future events. Those of one moment happen in the
 * order in which they were added.
 */
final class Calendar {

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private double now;

	private long added;

	double now() {
		return this.now;
	}

	void after(double micros, Runnable action) {
		this.events.add(new Event(this.now + micros, this.added++, action));
	}

	/** Lets time pass. */
	void runFor(double micros) {
		double end = this.now + micros;
		while (!this.events.isEmpty() && this.events.peek().time <= end) {
			runNext();
		}
		this.now = end;
	}

	/** Lets time pass until nothing is left to happen. */
	void runToEnd() {
		while (!this.events.isEmpty()) {
			runNext();
		}
	}

	private void runNext() {
		Event event = this.events.remove();
		this.now = event.time;
		event.action.run();
	}

	private record Event(double time, long number, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int order = Double.compare(this.time, other.time);
			return (order != 0) ? order : Long.compare(this.number, other.number);
		}

	}

}

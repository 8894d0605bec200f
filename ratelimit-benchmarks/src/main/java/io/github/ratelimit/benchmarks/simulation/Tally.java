package io.github.ratelimit.benchmarks.simulation;

import org.HdrHistogram.Histogram;

/**
 * Counts of calls, and how long they took.
 */
final class Tally {

	private static final long LONGEST_NANOS = 60_000_000_000L;

	private final Calendar calendar;

	private Histogram latencies = new Histogram(LONGEST_NANOS, 3);

	private double totalMicros;

	private double inFlightMicros;

	private long inFlight;

	private double changedAt;

	private long begun;

	private long byRedis;

	private long local;

	private long failed;

	Tally(Calendar calendar) {
		this.calendar = calendar;
	}

	void begin() {
		this.begun++;
		change(1);
	}

	void endByRedis(double micros) {
		this.byRedis++;
		record(micros);
	}

	void endLocally(double micros) {
		this.local++;
		record(micros);
	}

	private void record(double micros) {
		this.totalMicros += micros;
		this.latencies.recordValue((long) (micros * 1e3));
		change(-1);
	}

	void fail() {
		this.failed++;
		change(-1);
	}

	private void change(int calls) {
		double now = this.calendar.now();
		this.inFlightMicros += this.inFlight * (now - this.changedAt);
		this.changedAt = now;
		this.inFlight += calls;
	}

	/** Forgets everything but the calls in flight. */
	void reset() {
		change(0);
		this.latencies = new Histogram(LONGEST_NANOS, 3);
		this.totalMicros = 0;
		this.inFlightMicros = 0;
		this.begun = 0;
		this.byRedis = 0;
		this.local = 0;
		this.failed = 0;
	}

	/** Returns the integral of the calls in flight over time. */
	double inFlightMicros() {
		change(0);
		return this.inFlightMicros;
	}

	/** Returns how long all calls took together. */
	double totalMicros() {
		return this.totalMicros;
	}

	double percentile(double percentile) {
		return this.latencies.getValueAtPercentile(percentile) / 1e3;
	}

	long begun() {
		return this.begun;
	}

	long byRedis() {
		return this.byRedis;
	}

	long local() {
		return this.local;
	}

	long failed() {
		return this.failed;
	}

	long decided() {
		return this.byRedis + this.local;
	}

}

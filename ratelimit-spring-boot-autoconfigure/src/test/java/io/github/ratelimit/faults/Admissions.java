package io.github.ratelimit.faults;

import java.util.List;
import java.util.stream.LongStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Debits;
import io.github.ratelimit.store.Operation;

/**
 * When the calls of a key were admitted, by the clock of Redis and in its order.
 *
 * @param limit of the key
 * @param times in microseconds
 */
record Admissions(Limit limit, List<Long> times) {

	static Admissions of(Limit limit, LongStream times) {
		return new Admissions(limit, times.sorted().boxed().toList());
	}

	/** The most that the algorithm may admit in any period, its end exclusive. */
	long bound() {
		long permits = this.limit.rate().permits();
		return switch (this.limit.algorithm()) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> this.limit.burst() + permits - 1;
			case FIXED_WINDOW, SLIDING_WINDOW_COUNTER -> 2 * permits - 1;
			case SLIDING_WINDOW_LOG -> permits;
		};
	}

	/** The most that was admitted in any period, its end exclusive. */
	long mostInAPeriod() {
		long period = this.limit.rate().periodMicros();
		int most = 0;
		int first = 0;
		for (int last = 0; last < this.times.size(); last++) {
			while (this.times.get(last) - this.times.get(first) >= period) {
				first++;
			}
			most = Math.max(most, last - first + 1);
		}
		return most;
	}

	double partOfTheBound() {
		return (double) mostInAPeriod() / bound();
	}

	/**
	 * How many were admitted that the definition of the algorithm would have denied. That
	 * of a log is its bound.
	 */
	long undue() {
		if (this.limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG) {
			return Math.max(0, mostInAPeriod() - bound());
		}
		Definition definition = Definition.of(this.limit);
		Debit debit = Debits.of("hot", List.of(this.limit), "key", 1).get(0);
		return this.times.stream()
			.filter((time) -> !definition.execute(Operation.ACQUIRE, debit, time).allowed())
			.count();
	}

	/**
	 * How much less a bucket has admitted than its burst and what flowed in until the
	 * last call that it admitted; 0 of a window.
	 */
	long missing() {
		return switch (this.limit.algorithm()) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> this.limit.burst()
					+ time() * this.limit.rate().permits() / this.limit.rate().periodMicros() - this.times.size();
			default -> 0;
		};
	}

	@Override
	public String toString() {
		return this.times.size() + " by " + this.limit.algorithm().id();
	}

	/** Of what the limit gives in the long run, the part that was admitted. */
	double partOfTheRate() {
		return (double) this.times.size() / this.limit.rate().permits() * this.limit.rate().periodMicros() / time();
	}

	private long time() {
		return this.times.get(this.times.size() - 1) - this.times.get(0);
	}

}

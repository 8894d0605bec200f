package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.LongStream;

import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The times at which requests of a key were admitted and denied, by the clock of Redis
 * and in its order. At the same microsecond, admissions came first.
 *
 * @param limit the limit of the key
 * @param times the times of the admissions, in microseconds
 * @param denials the times of the denials; of several without an admission between them
 * only the last, which is due only if all are
 */
record Admissions(Limit limit, List<Long> times, NavigableSet<Long> denials) {

	static Admissions of(Limit limit, LongStream times, LongStream denials) {
		List<Long> sorted = times.sorted().boxed().toList();
		NavigableSet<Long> all = new TreeSet<>(denials.boxed().toList());
		NavigableSet<Long> last = new TreeSet<>();
		sorted.stream().map(all::lower).filter(Objects::nonNull).forEach(last::add);
		all.descendingSet().stream().findFirst().ifPresent(last::add);
		return new Admissions(limit, sorted, last);
	}

	/** Returns the most that the algorithm may admit in any period, its end exclusive. */
	long bound() {
		return Definition.of(this.limit).mostIn(this.limit.periodMicros());
	}

	/** Returns the most that was admitted in any period, its end exclusive. */
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

	/** Returns the number of admissions that the definition of the algorithm denies. */
	long undue() {
		ExpectedDecisions expected = ExpectedDecisions.of(this.limit);
		return this.times.stream().filter((time) -> !expected.tryAcquire(time)).count();
	}

	/** Returns the number of denials that the definition of the algorithm admits. */
	long undueDenials() {
		ExpectedDecisions expected = ExpectedDecisions.of(this.limit);
		long undue = (this.denials.lower(this.times.get(0)) != null) ? 1 : 0;
		for (int index = 0; index < this.times.size(); index++) {
			expected.tryAcquire(this.times.get(index));
			Long denial = lastDenialAfter(index);
			undue += (denial != null && expected.hasRoom(denial)) ? 1 : 0;
		}
		return undue;
	}

	/**
	 * Returns the spans in which a bucket was full only at the start, each until a
	 * denial.
	 */
	List<Stretch> stretches() {
		ExpectedDecisions expected = ExpectedDecisions.of(this.limit);
		List<Stretch> stretches = new ArrayList<>();
		int first = 0;
		for (int index = 0; index < this.times.size(); index++) {
			first = expected.isUnspent(this.times.get(index)) ? index : first;
			expected.tryAcquire(this.times.get(index));
			Long denial = lastDenialAfter(index);
			if (denial != null) {
				stretches.add(new Stretch(this.limit, this.times.get(first), denial, index - first + 1));
			}
		}
		return stretches;
	}

	@Override
	public String toString() {
		return this.times.size() + " by " + this.limit.algorithm().id();
	}

	/** Returns the last denial between an admission and the next. */
	private @Nullable Long lastDenialAfter(int index) {
		boolean isLast = index == this.times.size() - 1;
		Long denial = isLast ? this.denials.floor(Long.MAX_VALUE) : this.denials.lower(this.times.get(index + 1));
		return (denial != null && denial >= this.times.get(index)) ? denial : null;
	}

	/**
	 * The admissions of a bucket from when it was full to a denial. It was not full in
	 * between, so no refill was lost.
	 */
	record Stretch(Limit limit, long begin, long end, long admitted) {

		Duration time() {
			return Duration.ofNanos(1000 * (this.end - this.begin));
		}

		/** Returns the shortfall from the burst and the refill, in whole permits. */
		long missing() {
			long refill = (this.end - this.begin) * this.limit.rate().permits() / this.limit.rate().periodMicros();
			return this.limit.burst() + refill - this.admitted;
		}

	}

}

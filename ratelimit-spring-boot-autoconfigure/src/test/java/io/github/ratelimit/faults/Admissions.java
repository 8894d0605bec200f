package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.LongStream;

import io.github.ratelimit.algorithm.Limit;
import org.jspecify.annotations.Nullable;

/**
 * When the calls of a key were admitted, and when others were denied, by the clock of
 * Redis and in its order. Of one microsecond, those that were admitted came first.
 *
 * @param limit of the key
 * @param times of those that were admitted, in microseconds
 * @param denials the same of those that were denied, but without an admission between
 * them only of the last, which is due only if all are
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

	/** How many were admitted that the definition of the algorithm would have denied. */
	long undue() {
		Ruling ruling = Ruling.of(this.limit);
		return this.times.stream().filter((time) -> !ruling.admits(time)).count();
	}

	/** How many denials the definition of the algorithm would have admitted. */
	long undueDenials() {
		Ruling ruling = Ruling.of(this.limit);
		long undue = (this.denials.lower(this.times.get(0)) != null) ? 1 : 0;
		for (int call = 0; call < this.times.size(); call++) {
			ruling.admits(this.times.get(call));
			Long denial = lastDenialAfter(call);
			undue += (denial != null && ruling.hasRoom(denial)) ? 1 : 0;
		}
		return undue;
	}

	/** The times in which a bucket was full once, and then never until it denied. */
	List<Stretch> stretches() {
		Ruling ruling = Ruling.of(this.limit);
		List<Stretch> stretches = new ArrayList<>();
		int first = 0;
		for (int call = 0; call < this.times.size(); call++) {
			first = ruling.isUnspent(this.times.get(call)) ? call : first;
			ruling.admits(this.times.get(call));
			Long denial = lastDenialAfter(call);
			if (denial != null) {
				stretches.add(new Stretch(this.limit, this.times.get(first), denial, call - first + 1));
			}
		}
		return stretches;
	}

	@Override
	public String toString() {
		return this.times.size() + " by " + this.limit.algorithm().id();
	}

	/** The last one between a call that was admitted and the next. */
	private @Nullable Long lastDenialAfter(int call) {
		boolean isLast = call == this.times.size() - 1;
		Long denial = isLast ? this.denials.floor(Long.MAX_VALUE) : this.denials.lower(this.times.get(call + 1));
		return (denial != null && denial >= this.times.get(call)) ? denial : null;
	}

	/**
	 * What a bucket admitted from when it was full until it denied a call, while it was
	 * never full again, so that nothing that flowed in was lost.
	 */
	record Stretch(Limit limit, long begin, long end, long admitted) {

		Duration time() {
			return Duration.ofNanos(1000 * (this.end - this.begin));
		}

		/**
		 * How much less that is than the burst and what flowed in, in whole permits.
		 */
		long missing() {
			long inflow = (this.end - this.begin) * this.limit.rate().permits() / this.limit.rate().periodMicros();
			return this.limit.burst() + inflow - this.admitted;
		}

	}

}

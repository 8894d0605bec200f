package io.github.ratelimit.store.memory;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.memory.Caller.Admission;
import io.github.ratelimit.store.memory.Caller.Change;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a count whose limit changes.
 */
class PolicyChangeTests {

	private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.values());

	private static final List<Duration> PERIODS = List.of(Duration.ofMillis(500), Duration.ofSeconds(1),
			Duration.ofSeconds(2));

	@ParameterizedTest
	@MethodSource("pairs")
	void keepsWhatWasSpent(Algorithm from, Algorithm to) {
		Limit old = AnyLimit.of(from, "10/1s");
		Limit larger = AnyLimit.of(to, "15/1s");
		Caller caller = new Caller(old);
		assertThat(caller.calls(20)).isEqualTo(old.burst());
		caller.change(larger);
		assertThat(caller.calls(20)).isEqualTo(Math.max(0, larger.burst() - old.burst()));
	}

	@ParameterizedTest
	@MethodSource("pairs")
	void keepsNoMoreSpentThanThereIs(Algorithm from, Algorithm to) {
		Limit old = AnyLimit.of(from, "10/1s");
		Limit smaller = AnyLimit.of(to, "5/1s");
		Caller caller = new Caller(old);
		caller.calls(10);
		caller.change(smaller);
		assertThat(caller.calls(20)).isEqualTo(Math.max(0, smaller.burst() - old.burst()));
		caller.pause(Duration.ofSeconds(2).toNanos() / 1000);
		assertThat(caller.calls(20)).isEqualTo(smaller.burst());
	}

	@RepeatedTest(100)
	void admitsAtMostOneBurstMoreForEachChange() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		Caller caller = new Caller(randomLimit(random), seed);
		for (int act = 0; act < 300; act++) {
			if (random.nextInt(15) == 0) {
				caller.change(randomLimit(random));
			}
			caller.actAtRandom();
		}
		for (Duration period : PERIODS) {
			long micros = period.toNanos() / 1000;
			assertThat(caller.admissions()).as("seed %d, in %s", seed, period)
				.allMatch(isWithinTheBound(caller, micros));
		}
	}

	static Stream<Arguments> pairs() {
		return ALGORITHMS.stream().flatMap((from) -> ALGORITHMS.stream().map((to) -> Arguments.of(from, to)));
	}

	/**
	 * Tests whether the admissions in the time that begins with one are within the bound,
	 * by limits of its period: limits of other periods have separate counts.
	 */
	private static Predicate<Admission> isWithinTheBound(Caller caller, long micros) {
		return (first) -> {
			long end = first.time() + micros;
			long counted = first.limit().periodMicros();
			long sum = caller.admissions()
				.stream()
				.filter((admission) -> admission.limit().periodMicros() == counted)
				.filter((admission) -> admission.time() >= first.time() && admission.time() < end)
				.mapToLong(Admission::cost)
				.sum();
			List<Limit> limits = limits(caller.changes(), first.time(), end).stream()
				.filter((limit) -> limit.periodMicros() == counted)
				.toList();
			long bound = limits.stream().mapToLong((limit) -> Definition.of(limit).mostIn(micros)).max().orElseThrow();
			long burst = limits.stream().mapToLong(Limit::burst).max().orElseThrow();
			return sum <= bound + (limits.size() - 1) * burst;
		};
	}

	/** Returns every limit that applied in a time, as often as it did. */
	private static List<Limit> limits(List<Change> changes, long begin, long end) {
		int first = 0;
		while (first + 1 < changes.size() && changes.get(first + 1).time() < begin) {
			first++;
		}
		return changes.stream().skip(first).filter((change) -> change.time() < end).map(Change::limit).toList();
	}

	private static Limit randomLimit(Random random) {
		Algorithm algorithm = ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
		Rate rate = new Rate(random.nextLong(20) + 1, PERIODS.get(random.nextInt(PERIODS.size())));
		return AnyLimit.withBurst(Limit.of(algorithm, rate), random.nextLong(30) + 1);
	}

}

package io.github.ratelimit.store.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the most that each algorithm admits in one period, and in the long run: the
 * figures of docs/algorithms.md. A period includes its begin and not its end.
 */
class AdmissionBoundTests {

	private static final long SECOND = 1_000_000;

	/** A rate that no call misses for an instant, as it gives a permit every 100 us. */
	private static final Rate WITHOUT_BURST = Rate.parse("10000/1s");

	private static final Path PAGE = Path.of("..", "docs", "algorithms.md");

	/** A row that has only numbers behind an algorithm. */
	private static final Pattern EDGE = Pattern.compile("\\| `([a-z-]+)`[^|]*\\|([0-9 |]+)\\|");

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.algorithm.Algorithm#rates")
	void admitsAtAnEdgeAsDocumented(Algorithm algorithm) throws IOException {
		List<Long> admitted = admittedAtAnEdge(algorithm);
		assertThat(Files.readAllLines(PAGE).stream().map(EDGE::matcher).filter((row) -> {
			return row.matches() && row.group(1).equals(algorithm.id());
		})).as("row of %s in the table 'At the edge of a window' of docs/algorithms.md: %s", algorithm.id(), admitted)
			.singleElement()
			.satisfies((row) -> assertThat(Stream.of(row.group(2).split("\\|"))).map(String::strip)
				.map(Long::valueOf)
				.isEqualTo(admitted));
	}

	@Test
	void admitsAtTheEdgeOfALease() {
		assertThat(admittedAtAnEdge(Algorithm.CONCURRENCY)).containsExactly(10L, 0L, 10L);
	}

	/**
	 * Returns the calls of ten that {@code 10/1s} admits 50 ms before an edge, and of ten
	 * that it admits 50 ms after it, and the most in one period.
	 */
	private static List<Long> admittedAtAnEdge(Algorithm algorithm) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		Caller caller = beforeAnEdge(limit, 50_000);
		long before = caller.calls(10);
		caller.pause(100_000);
		return List.of(before, caller.calls(10), worstPeriod(limit));
	}

	@ParameterizedTest
	@MethodSource("limits")
	void reachesItsBoundInOnePeriod(Limit limit) {
		assertThat(worstPeriod(limit)).isEqualTo(bound(limit));
	}

	@ParameterizedTest
	@MethodSource("limits")
	void neverExceedsItsBoundInAnyPeriod(Limit limit) {
		for (int run = 0; run < 20; run++) {
			long seed = System.nanoTime();
			Caller caller = new Caller(limit, seed);
			for (int act = 0; act < 500; act++) {
				caller.actAtRandom();
			}
			assertThat(caller.mostIn(limit.rate().periodMicros())).as("seed %d", seed)
				.isLessThanOrEqualTo(bound(limit));
		}
	}

	@ParameterizedTest
	@CsvSource({ "TOKEN_BUCKET, 300000/1s, 300000, 1, 600000", "LEAKY_BUCKET, 300000/1s, 2, 1, 300002",
			"FIXED_WINDOW, 300000/1s, 300000, 100, 30300000", "SLIDING_WINDOW_LOG, 300000/1s, 300000, 100, 30300000",
			"TOKEN_BUCKET, 1/30d, 1, 1000, 1001", "LEAKY_BUCKET, 1/30d, 1, 1000, 1001",
			"FIXED_WINDOW, 1/30d, 1, 1000, 1001", "SLIDING_WINDOW_LOG, 1/30d, 1, 1000, 1001" })
	void admitsExactlyItsRateInTheLongRun(Algorithm algorithm, String rate, long burst, long periods, long expected) {
		Limit limit = Limit.of(algorithm, Rate.parse(rate)).withBurst(burst);
		Caller caller = new Caller(limit);
		caller.takeAllUntil(Caller.START + periods * limit.rate().periodMicros());
		assertThat(caller.total()).isEqualTo(expected);
	}

	/** Refills between two microseconds are lost with a burst of 1. */
	@Test
	void admitsEveryWholeMicrosecondOfALeakyBucketWithoutABurst() {
		Caller caller = new Caller(Limit.of(Algorithm.LEAKY_BUCKET, Rate.parse("300000/1s")));
		caller.takeAllUntil(Caller.START + SECOND);
		assertThat(caller.total()).isEqualTo(1 + SECOND / 4);
	}

	/** A part of the window before is covered until the very end of a window. */
	@ParameterizedTest
	@CsvSource({ "10/1s, 100, 901", "300000/1s, 2, 599999", "1/30d, 1000, 500" })
	void admitsOnePermitLessInEveryWindowOfACounterThatFollowsAFullOne(String rate, long periods, long expected) {
		Limit limit = Limit.of(Algorithm.SLIDING_WINDOW_COUNTER, Rate.parse(rate));
		Caller caller = new Caller(limit);
		caller.takeAllUntil(Caller.START + periods * limit.rate().periodMicros() - 1);
		assertThat(caller.total()).isEqualTo(expected);
	}

	@ParameterizedTest
	@EnumSource
	void admitsItsRateToManySmallCalls(Algorithm algorithm) {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		Limit limit = Limit.of(algorithm, Rate.parse("300000/1s"));
		limit = (limit.burst() > 1) ? limit : Limit.of(algorithm, WITHOUT_BURST);
		Caller caller = new Caller(limit);
		while (caller.now() <= Caller.START + 2 * SECOND) {
			long wait = caller.call(1).retryAfterMicros();
			caller.pause((wait > 0) ? wait : random.nextLong(6));
		}
		assertThat(caller.total()).as("seed %d", seed)
			.isBetween(2 * limit.rate().permits() - 60, 3 * limit.rate().permits());
	}

	@ParameterizedTest
	@EnumSource
	void admitsCallsThatComeEvenlyAtTheRate(Algorithm algorithm) {
		Caller caller = new Caller(Limit.of(algorithm, Rate.parse("10/1s")));
		for (int call = 0; call < 1000; call++) {
			caller.call(1);
			caller.pause(SECOND / 10);
		}
		assertThat(caller.total()).isEqualTo((algorithm == Algorithm.SLIDING_WINDOW_COUNTER) ? 901 : 1000);
	}

	static Stream<Limit> limits() {
		Stream<Limit> plain = Stream.of("10/1s", "7/1s", "1/1s", "13/17ms")
			.flatMap((rate) -> Stream.of(Algorithm.values()).map((algorithm) -> Limit.of(algorithm, Rate.parse(rate))));
		Limit bucket = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));
		return Stream.concat(plain, Stream.of(bucket.withBurst(3), bucket.withBurst(40)));
	}

	private static long bound(Limit limit) {
		return Definition.of(limit).mostIn(limit.periodMicros());
	}

	/**
	 * Creates a caller at a time before the end of a window, and the beginning of the
	 * next.
	 */
	private static Caller beforeAnEdge(Limit limit, long micros) {
		Caller caller = new Caller(limit);
		if (limit.algorithm() == Algorithm.FIXED_WINDOW) {
			caller.call(1);
		}
		caller.pauseUntil(Caller.START + limit.rate().periodMicros() - micros);
		return caller;
	}

	private static long worstPeriod(Limit limit) {
		long period = limit.rate().periodMicros();
		Caller caller = beforeAnEdge(limit, 1);
		caller.takeAllUntil(caller.now() + period - 1);
		return caller.mostIn(period);
	}

}

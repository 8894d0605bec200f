package io.github.ratelimit.store.memory;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.AfterAll;
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

	private static final List<String> TABLE = new ArrayList<>();

	@AfterAll
	static void tellTheTable() {
		String head = "10/1s: 10 calls 50 ms before an edge, 10 calls 50 ms after it, the most in one period";
		System.getLogger(AdmissionBoundTests.class.getName()).log(Level.INFO, head + "\n" + String.join("\n", TABLE));
	}

	@ParameterizedTest
	@CsvSource({ "TOKEN_BUCKET, 10, 1, 19", "LEAKY_BUCKET, 1, 1, 10", "FIXED_WINDOW, 9, 10, 19",
			"SLIDING_WINDOW_COUNTER, 10, 0, 19", "SLIDING_WINDOW_LOG, 10, 0, 10", "CONCURRENCY, 10, 0, 10" })
	void admitsAtAnEdge(Algorithm algorithm, long before, long after, long most) {
		Limit limit = Limit.of(algorithm, Rate.parse("10/1s"));
		Caller caller = beforeAnEdge(limit, 50_000);
		long admittedBefore = caller.calls(10);
		caller.pause(100_000);
		long admittedAfter = caller.calls(10);
		long worst = worstPeriod(limit);
		TABLE.add("%-24s %2d %2d %2d".formatted(algorithm.id(), admittedBefore, admittedAfter, worst));
		assertThat(admittedBefore).isEqualTo(before);
		assertThat(admittedAfter).isEqualTo(after);
		assertThat(worst).isEqualTo(most);
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
	@EnumSource(names = "LEAKY_BUCKET", mode = EnumSource.Mode.EXCLUDE)
	void admitsItsRateToManySmallCalls(Algorithm algorithm) {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		Caller caller = new Caller(Limit.of(algorithm, Rate.parse("300000/1s")));
		while (caller.now() <= Caller.START + 2 * SECOND) {
			long wait = caller.call(1).retryAfterMicros();
			caller.pause((wait > 0) ? wait : random.nextLong(6));
		}
		assertThat(caller.total()).as("seed %d", seed).isBetween(599_940L, 900_000L);
	}

	@ParameterizedTest
	@CsvSource({ "TOKEN_BUCKET, 1000", "LEAKY_BUCKET, 1000", "FIXED_WINDOW, 1000", "SLIDING_WINDOW_COUNTER, 901",
			"SLIDING_WINDOW_LOG, 1000" })
	void admitsCallsThatComeEvenlyAtTheRate(Algorithm algorithm, long expected) {
		Caller caller = new Caller(Limit.of(algorithm, Rate.parse("10/1s")));
		for (int call = 0; call < 1000; call++) {
			caller.call(1);
			caller.pause(SECOND / 10);
		}
		assertThat(caller.total()).isEqualTo(expected);
	}

	static Stream<Limit> limits() {
		Stream<Limit> plain = Stream.of("10/1s", "7/1s", "1/1s", "13/17ms")
			.flatMap((rate) -> Stream.of(Algorithm.values()).map((algorithm) -> Limit.of(algorithm, Rate.parse(rate))));
		Limit bucket = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1s"));
		return Stream.concat(plain, Stream.of(bucket.withBurst(3), bucket.withBurst(40)));
	}

	/**
	 * Returns the most permits in one period. A bucket misses the last permit, which
	 * comes at its end; a fixed window was begun by an earlier call.
	 */
	private static long bound(Limit limit) {
		long permits = limit.rate().permits();
		return switch (limit.algorithm()) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> limit.burst() + permits - 1;
			case FIXED_WINDOW, SLIDING_WINDOW_COUNTER -> 2 * permits - 1;
			case SLIDING_WINDOW_LOG, CONCURRENCY -> permits;
		};
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

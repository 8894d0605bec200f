package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract for instances that are configured differently and share their counts, as
 * during a rolling deployment. Whatever instances the calls reach, they admit no more
 * than the larger configuration, and a window's edge, allow.
 */
public abstract class MixedLimitsContract {

	private static final long SECOND = 1_000_000;

	private static final int CALLS = Integer.getInteger("test.mixed.calls", 300);

	private static final List<String> ONE_PERIOD = Stream.of(Algorithm.values())
		.flatMap(MixedLimitsContract::ofOnePeriod)
		.toList();

	private static final List<String> OF_A_MINUTE = List.of("30/1m align minute", "100/1m align minute", "60/1m",
			"30/1m token-bucket burst 100", "100/1m sliding-window-counter", "60/1m sliding-window-log");

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	/** A new policy for each test, as many tests may share a store. */
	private final String policy = "mixed-" + System.nanoTime();

	private final List<Admission> admissions = new ArrayList<>();

	private RateLimitStore store;

	private record Admission(long time, long cost) {

	}

	/** The order in which instances choose the configuration of the next call. */
	private enum Turn {

		EVERY_CALL, EVERY_SECOND, AT_RANDOM;

		int next(int call, long time, Random random) {
			return switch (this) {
				case EVERY_CALL -> call % 2;
				case EVERY_SECOND -> (int) (time / SECOND % 2);
				case AT_RANDOM -> random.nextInt(2);
			};
		}

	}

	@BeforeEach
	void createStore() {
		this.store = store(this.clock::get);
	}

	/**
	 * Returns the store under test.
	 * @param clock the store's time, in microseconds since 1970
	 * @return a store, which may have counts of other policies
	 */
	protected abstract RateLimitStore store(LongSupplier clock);

	@ParameterizedTest
	@MethodSource
	void admitNoMoreThanTheLargerLimit(String one, String other) {
		List<Limit> limits = List.of(limit(one), limit(other));
		for (Turn turn : Turn.values()) {
			call(turn, List.of(List.of(limits.get(0)), List.of(limits.get(1))), 0);
			assertWithin(limits.get(0).rate().periodMicros(), (time) -> together(limits, time));
		}
	}

	/**
	 * Returns limits that differ in their permits and, if they have one, in their burst.
	 */
	private static Stream<String> ofOnePeriod(Algorithm algorithm) {
		return algorithm.hasBurst()
				? Stream.of(AnyLimit.text(algorithm, 10), AnyLimit.text(algorithm, 10) + " burst 100",
						AnyLimit.text(algorithm, 40) + " burst 3")
				: Stream.of(AnyLimit.text(algorithm, 10), AnyLimit.text(algorithm, 35));
	}

	static Stream<Arguments> admitNoMoreThanTheLargerLimit() {
		return Stream.concat(pairs(ONE_PERIOD), pairs(OF_A_MINUTE));
	}

	/**
	 * Checks that another algorithm does not admit permits reserved for waiting calls.
	 */
	@ParameterizedTest
	@MethodSource("admitNoMoreThanTheLargerLimit")
	void admitNoMoreThanTheLargerLimitWhileCallsWait(String one, String other) {
		List<Limit> limits = List.of(limit(one), limit(other));
		long period = limits.get(0).rate().periodMicros();
		call(Turn.AT_RANDOM, List.of(List.of(limits.get(0)), List.of(limits.get(1))), period / 2);
		assertWithin(period, (time) -> together(limits, time));
	}

	@ParameterizedTest
	@CsvSource({ "10/1s; 50/10s, 50/10s; 10/1s", "10/1s; 50/10s, 50/10s", "10/1s; 50/10s, 10/1s",
			"10/1s; 50/10s; 100/1m, 100/1m; 10/1s" })
	void admitNoMoreThanTheLargerConfigurationWhateverTheOrderAndNumberOfLimits(String one, String other) {
		List<List<Limit>> configurations = List.of(limits(one), limits(other));
		for (Turn turn : Turn.values()) {
			call(turn, configurations, 0);
			for (long period : new long[] { SECOND, 10 * SECOND, 60 * SECOND }) {
				assertWithin(period, (time) -> configurations.stream()
					.mapToLong((limits) -> limits.stream().mapToLong((limit) -> alone(limit, time)).min().orElseThrow())
					.max()
					.orElseThrow());
			}
		}
	}

	/** Checks that limits of different periods have separate counts. */
	@ParameterizedTest
	@CsvSource({ "10/1s, 100/10s", "10/1s burst 100, 30/1m", "20/1s fixed-window, 100/1m sliding-window-log" })
	void admitNoMoreThanBothLimitsWhereTheirPeriodsDiffer(String one, String other) {
		for (Turn turn : Turn.values()) {
			call(turn, List.of(limits(one), limits(other)), 0);
			for (long period : new long[] { SECOND, 10 * SECOND, 60 * SECOND }) {
				assertWithin(period, (time) -> alone(limit(one), time) + alone(limit(other), time));
			}
		}
	}

	/**
	 * Makes bursts of calls and pauses, some of which end just before and after an edge.
	 */
	private void call(Turn turn, List<List<Limit>> configurations, long maxWaitMicros) {
		this.admissions.clear();
		long period = configurations.get(0).get(0).rate().periodMicros();
		Random random = new Random(42);
		String key = turn + "-" + configurations;
		for (int call = 0; call < CALLS; call++) {
			long now = (random.nextInt(12) > 0) ? this.clock.get() : this.clock.addAndGet(pause(random, period));
			acquire(configurations.get(turn.next(call, now, random)), key, 1 + random.nextInt(2), maxWaitMicros);
		}
	}

	private long pause(Random random, long period) {
		return switch (random.nextInt(4)) {
			case 0 -> period - this.clock.get() % period - random.nextInt(2);
			case 1 -> random.nextLong(period);
			default -> random.nextLong(period / 10);
		};
	}

	private void acquire(List<Limit> limits, String key, long cost, long maxWaitMicros) {
		long most = limits.stream().mapToLong(Limit::burst).min().orElseThrow();
		long longestWait = limits.stream().mapToLong((limit) -> limit.formula().longestWait()).min().orElseThrow();
		List<PermitRequest> permits = PermitRequests.of(this.policy, limits, key, Math.min(cost, most))
			.stream()
			.map((permit) -> new PermitRequest(permit.policyLimit(), key, permit.cost(),
					Math.min(maxWaitMicros, longestWait)))
			.toList();
		Decision decision = this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits));
		if (decision.allowed()) {
			this.admissions.add(new Admission(this.clock.get() + decision.waitMicros(), permits.get(0).cost()));
		}
	}

	/**
	 * Checks that no stretch of this length, its end exclusive, admits more than a bound.
	 */
	private void assertWithin(long micros, LongUnaryOperator bound) {
		List<Admission> sorted = this.admissions.stream()
			.sorted((one, other) -> Long.compare(one.time(), other.time()))
			.toList();
		long most = 0;
		long sum = 0;
		int first = 0;
		for (Admission last : sorted) {
			sum += last.cost();
			for (; sorted.get(first).time() <= last.time() - micros; first++) {
				sum -= sorted.get(first).cost();
			}
			most = Math.max(most, sum);
		}
		assertThat(most).as("in %d us", micros).isPositive().isLessThanOrEqualTo(bound.applyAsLong(micros));
	}

	/**
	 * Returns the most that limits of one period admit together: the larger burst, the
	 * refill at the larger rate, and the permits that a window frees at its end.
	 */
	private static long together(List<Limit> limits, long micros) {
		long burst = limits.stream().mapToLong(Limit::burst).max().orElseThrow();
		if (limits.stream().allMatch((limit) -> alone(limit, limit.periodMicros()) == limit.burst())) {
			return burst * (micros / limits.get(0).periodMicros());
		}
		long rate = limits.stream()
			.mapToLong((limit) -> limit.rate().permits() * micros / limit.periodMicros())
			.max()
			.orElseThrow();
		long edge = limits.stream().mapToLong((limit) -> Definition.of(limit).edge()).max().orElseThrow();
		return burst + rate + edge;
	}

	/** Returns the most that a limit admits alone. */
	private static long alone(Limit limit, long micros) {
		return Definition.of(limit).mostIn(micros);
	}

	private static Stream<Arguments> pairs(List<String> limits) {
		return IntStream.range(0, limits.size())
			.boxed()
			.flatMap((one) -> limits.stream().skip(one + 1).map((other) -> Arguments.of(limits.get(one), other)));
	}

	private static List<Limit> limits(String text) {
		return Stream.of(text.split(";")).map(MixedLimitsContract::limit).toList();
	}

	private static Limit limit(String text) {
		return Limit.parse(text.strip(), text.contains("align") ? Algorithm.FIXED_WINDOW : Algorithm.TOKEN_BUCKET);
	}

}

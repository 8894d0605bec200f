package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.algorithm.Rate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store does, whatever it keeps its counts in: the base of each one's test.
 */
public abstract class RateLimitStoreContract {

	private static final long SECOND = 1_000_000;

	/** Long past, so that whatever a store adds of its own to the clock shows. */
	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	/** A new policy for each test: a store may be shared by many. */
	private final String policy = "contract-" + System.nanoTime();

	private RateLimitStore store;

	@BeforeEach
	void createStore() {
		this.store = store(this.clock::get);
	}

	/**
	 * The store under test.
	 * @param clock the time that it decides by, in microseconds since 1970
	 * @return a store, which may hold counts of other policies
	 */
	protected abstract RateLimitStore store(LongSupplier clock);

	@ParameterizedTest
	@EnumSource
	void admitsTheBurstAtOneInstantAndNoMore(Algorithm algorithm) {
		Limit limit = limit(algorithm, "10/1s");
		for (long remaining = limit.burst() - 1; remaining >= 0; remaining--) {
			LimitDecision decision = acquire(limit, "a", 1);
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.remaining()).isEqualTo(remaining);
		}
		assertThat(acquire(limit, "a", 1).allowed()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void admitsAfterExactlyTheWaitItAnswers(Algorithm algorithm) {
		Limit limit = limit(algorithm, "7/1s");
		acquire(limit, "a", limit.burst());
		long wait = acquire(limit, "a", 1).retryAfterMicros();
		this.clock.addAndGet(wait - 1);
		assertThat(acquire(limit, "a", 1).retryAfterMicros()).isEqualTo(1);
		this.clock.addAndGet(1);
		assertThat(acquire(limit, "a", 1).allowed()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void isAsNewAfterExactlyTheResetItAnswers(Algorithm algorithm) {
		Limit limit = limit(algorithm, "7/1s");
		long reset = acquire(limit, "a", limit.burst()).resetAfterMicros();
		this.clock.addAndGet(reset - 1);
		assertThat(acquire(limit, "a", 0).resetAfterMicros()).isEqualTo(1);
		this.clock.addAndGet(1);
		assertThat(acquire(limit, "a", 0)).isEqualTo(acquire(limit, "never charged", 0));
	}

	@ParameterizedTest
	@EnumSource
	void chargesNothingWhenItDenies(Algorithm algorithm) {
		Limit limit = limit(algorithm, "10/1s");
		acquire(limit, "a", limit.burst());
		LimitDecision denied = acquire(limit, "a", 1);
		assertThat(acquire(limit, "a", 1)).isEqualTo(denied);
	}

	@ParameterizedTest
	@EnumSource
	void chargesNothingForACostOfNought(Algorithm algorithm) {
		Limit limit = limit(algorithm, "10/1s");
		assertThat(acquire(limit, "a", 0).remaining()).isEqualTo(limit.burst());
		assertThat(acquire(limit, "a", limit.burst()).allowed()).isTrue();
		assertThat(acquire(limit, "a", 0).allowed()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void chargesEveryLimitOfAPolicyOrNone(Algorithm algorithm) {
		Limit tight = limit(algorithm, "2/1s");
		Limit loose = limit(algorithm, "100/1h");
		Debit debit = new Debit(this.policy, List.of(loose, tight), "a", 2);
		assertThat(this.store.acquire(List.of(debit)).allowed()).isTrue();
		Decision denied = this.store.acquire(List.of(debit));
		assertThat(denied.limits()).extracting(LimitDecision::allowed).containsExactly(true, false);
		assertThat(denied.limits()).extracting(LimitDecision::limit).containsExactly(loose, tight);
		assertThat(denied.limits()).extracting(LimitDecision::remaining).containsExactly(98L, 0L);
	}

	@ParameterizedTest
	@EnumSource
	void chargesEveryDebitOfACallOrNone(Algorithm algorithm) {
		Limit limit = limit(algorithm, "2/1s");
		Debit mine = new Debit(this.policy, List.of(limit), "a", 1);
		Debit everyones = new Debit(this.policy + "-global", List.of(limit), "all", 2);
		assertThat(this.store.acquire(List.of(mine, everyones)).allowed()).isTrue();
		assertThat(this.store.acquire(List.of(mine, everyones)).allowed()).isFalse();
		assertThat(acquire(limit, "a", 0).remaining()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void keepsPoliciesApart(Algorithm algorithm) {
		Limit limit = limit(algorithm, "1/1s");
		assertThat(acquire(limit, "a", 1).allowed()).isTrue();
		Debit other = new Debit(this.policy + "-other", List.of(limit), "a", 1);
		assertThat(this.store.acquire(List.of(other)).allowed()).isTrue();
	}

	@Test
	void keepsKeysApartWhateverTheyHold() {
		Limit limit = limit(Algorithm.TOKEN_BUCKET, "1/1s");
		List<String> keys = List.of("", " ", "a", "A", "{}", "{a}", "a}", "a\r\nb", "a\u0000", "\u00e9", "e\u0301",
				"\ud800", "\ud801", "?", "x".repeat(10_000), "x".repeat(10_001), "1.2.3.4", "::1");
		assertThat(keys).allMatch((key) -> acquire(limit, key, 1).allowed());
		assertThat(keys).noneMatch((key) -> acquire(limit, key, 1).allowed());
	}

	@ParameterizedTest
	@EnumSource
	void neverLocksOutAfterTheClockSteppedBack(Algorithm algorithm) {
		Limit limit = limit(algorithm, "10/1s");
		acquire(limit, "a", limit.burst());
		long mostToWait = acquire(limit, "new", limit.burst()).resetAfterMicros() + limit.rate().periodMicros();
		this.clock.addAndGet(-3600 * SECOND);
		long wait = acquire(limit, "a", 1).retryAfterMicros();
		assertThat(wait).isBetween(1L, mostToWait);
		this.clock.addAndGet(wait);
		assertThat(acquire(limit, "a", 1).allowed()).isTrue();
	}

	@Test
	void tellsTheTimeItDecidedAt() {
		Debit debit = new Debit(this.policy, List.of(limit(Algorithm.TOKEN_BUCKET, "1/1s")), "a", 1);
		assertThat(this.store.acquire(List.of(debit)).storeTimeMicros()).isEqualTo(this.clock.get());
	}

	@ParameterizedTest
	@EnumSource
	void decidesTheSameWithoutBlocking(Algorithm algorithm) {
		Limit limit = limit(algorithm, "1/1s");
		Debit debit = new Debit(this.policy, List.of(limit), "a", 1);
		assertThat(this.store.acquireAsync(List.of(debit)).toCompletableFuture().join().allowed()).isTrue();
		Decision denied = this.store.acquireAsync(List.of(debit)).toCompletableFuture().join();
		assertThat(denied).isEqualTo(this.store.acquire(List.of(debit)));
	}

	@ParameterizedTest
	@EnumSource
	void admitsExactlyTheLimitToManyThreads(Algorithm algorithm) throws Exception {
		Limit limit = limit(algorithm, "50/1s");
		ExecutorService threads = Executors.newFixedThreadPool(200);
		try {
			Callable<Boolean> call = () -> acquire(limit, "hot", 1).allowed();
			List<Boolean> admitted = new ArrayList<>();
			for (Future<Boolean> answer : threads.invokeAll(Collections.nCopies(1000, call))) {
				admitted.add(answer.get());
			}
			assertThat(admitted).filteredOn(Boolean::booleanValue).hasSize(50);
		}
		finally {
			threads.shutdownNow();
		}
	}

	@ParameterizedTest
	@MethodSource
	void decidesAsDefined(Algorithm algorithm, String rate) {
		Limit limit = Limit.of(algorithm, Rate.parse(rate));
		assertDefined(limit, 300, (from) -> step(from, limit.rate().periodMicros()), (from) -> from.nextLong(21));
	}

	static Stream<Arguments> decidesAsDefined() {
		return Stream.of("10/1s", "7/1s", "300000/1s", "1/30d", "13/17ms", "99991/1d")
			.flatMap((rate) -> Stream.of(Algorithm.values()).map((algorithm) -> Arguments.of(algorithm, rate)));
	}

	@ParameterizedTest
	@EnumSource
	void decidesAsDefinedWhenFullOfSmallCharges(Algorithm algorithm) {
		assertDefined(Limit.of(algorithm, Rate.parse("100/1s")), 1000,
				(random) -> (random.nextInt(200) == 0) ? -random.nextLong(SECOND / 2) : random.nextLong(SECOND / 60),
				(random) -> random.nextLong((random.nextInt(20) == 0) ? 60 : 3));
	}

	private void assertDefined(Limit limit, int calls, ToLongFunction<Random> step, ToLongFunction<Random> cost) {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		Definition definition = Definition.of(limit);
		for (int call = 0; call < calls; call++) {
			long now = this.clock.addAndGet(step.applyAsLong(random));
			long permits = Math.min(limit.burst(), cost.applyAsLong(random));
			LimitDecision expected = definition.acquire(this.policy, limit, now, permits);
			assertThat(acquire(limit, "a", permits)).as("seed %d, call %d", seed, call).isEqualTo(expected);
		}
	}

	/** Mostly small steps on, at times a long one, at times one back. */
	private static long step(Random random, long period) {
		return switch (random.nextInt(20)) {
			case 0 -> random.nextLong(2 * period + 1);
			case 1 -> -random.nextLong(2 * period + 1);
			default -> random.nextLong(period / 10 + 2);
		};
	}

	private LimitDecision acquire(Limit limit, String key, long cost) {
		return this.store.acquire(List.of(new Debit(this.policy, List.of(limit), key, cost))).limits().get(0);
	}

	/** A limit whose burst is its permits, whatever the algorithm. */
	private static Limit limit(Algorithm algorithm, String rate) {
		return Limit.of(algorithm, Rate.parse(rate)).withBurst(Rate.parse(rate).permits());
	}

}

package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Definition;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of every store, regardless of where it keeps its counts: the base of each
 * store's test.
 */
public abstract class RateLimitStoreContract extends DecisionContract {

	private static final long SECOND = 1_000_000;

	@ParameterizedTest
	@EnumSource
	void admitsTheBurstAtOneInstantAndNoMore(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "10/1s");
		for (long remaining = limit.burst() - 1; remaining >= 0; remaining--) {
			LimitDecision decision = acquire(limit, "a", 1);
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.remaining()).isEqualTo(remaining);
		}
		assertThat(acquire(limit, "a", 1).allowed()).isFalse();
	}

	@ParameterizedTest
	@MethodSource("fineAndCoarse")
	void admitsAfterExactlyTheWaitItReports(Algorithm algorithm, String rate) {
		Limit limit = AnyLimit.of(algorithm, rate);
		acquire(limit, "a", limit.burst());
		long wait = acquire(limit, "a", 1).retryAfterMicros();
		this.clock.addAndGet(wait - 1);
		assertThat(acquire(limit, "a", 1).retryAfterMicros()).isEqualTo(1);
		this.clock.addAndGet(1);
		assertThat(acquire(limit, "a", 1).allowed()).isTrue();
	}

	/** Looks at whole seconds, which are whole ticks of every limit. */
	@ParameterizedTest
	@MethodSource
	void countsAllThatACallCostsBeyondTheLimit(Algorithm algorithm, String rate, long periods) {
		Limit limit = AnyLimit.of(algorithm, rate);
		Definition definition = Definition.of(limit);
		long beyond = periods * limit.rate().permits();
		assertThat(spend(limit, "a", limit.burst() + beyond).remaining()).isZero();
		definition.execute(StoreOperation.CHARGE, permit(limit, limit.burst() + beyond), this.clock.get());
		for (int look = 0; look < 80; look++) {
			this.clock.addAndGet(limit.periodMicros() / 4);
			LimitDecision defined = definition.execute(StoreOperation.PEEK, permit(limit, 1), this.clock.get());
			LimitDecision decided = execute(StoreOperation.PEEK, limit, 1, 0);
			assertThat(decided.remaining()).as("look %d: %s", look, defined).isEqualTo(defined.remaining());
			assertThat(decided.retryAfterMicros() - defined.retryAfterMicros()).isBetween(0L, SECOND);
		}
	}

	static Stream<Arguments> countsAllThatACallCostsBeyondTheLimit() {
		return Algorithm.rates()
			.flatMap((algorithm) -> Stream.of(Arguments.of(algorithm, "100000/1d", 16),
					Arguments.of(algorithm, "1000003/1d", 16), Arguments.of(algorithm, "13/1h", 16),
					Arguments.of(algorithm, "1000003/30d", 12), Arguments.of(algorithm, "268435455/1m", 16)));
	}

	private PermitRequest permit(Limit limit, long cost) {
		return PermitRequests.of(this.policy, List.of(limit), "a", cost).get(0);
	}

	@ParameterizedTest
	@MethodSource("fineAndCoarse")
	void isAsNewAfterExactlyTheResetItReports(Algorithm algorithm, String rate) {
		Limit limit = AnyLimit.of(algorithm, rate);
		long reset = acquire(limit, "a", limit.burst()).resetAfterMicros();
		this.clock.addAndGet(reset - 1);
		assertThat(acquire(limit, "a", 0).resetAfterMicros()).isEqualTo(1);
		this.clock.addAndGet(1);
		assertThat(acquire(limit, "a", 0)).usingRecursiveComparison()
			.ignoringFields("key")
			.isEqualTo(acquire(limit, "never charged", 0));
	}

	/**
	 * Returns limits that count in microseconds, and some that some algorithms count more
	 * coarsely.
	 */
	static Stream<Arguments> fineAndCoarse() {
		return everyAlgorithmAt("7/1s", "1234567/30d", "100003/1d");
	}

	@ParameterizedTest
	@EnumSource
	void chargesNothingWhenItDenies(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "10/1s");
		acquire(limit, "a", limit.burst());
		LimitDecision denied = acquire(limit, "a", 1);
		assertThat(acquire(limit, "a", 1)).isEqualTo(denied);
	}

	@ParameterizedTest
	@EnumSource
	void chargesNothingForACostOfNought(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "10/1s");
		assertThat(acquire(limit, "a", 0).remaining()).isEqualTo(limit.burst());
		assertThat(acquire(limit, "a", limit.burst()).allowed()).isTrue();
		assertThat(acquire(limit, "a", 0).allowed()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void chargesEveryLimitOfAPolicyOrNone(Algorithm algorithm) {
		Limit tight = AnyLimit.of(algorithm, "2/1s");
		Limit similar = AnyLimit.of(algorithm, "100/1h");
		Limit loose = (similar.burst() == 100) ? similar : AnyLimit.of(Algorithm.TOKEN_BUCKET, "100/1h");
		long cost = tight.burst();
		List<PermitRequest> permit = PermitRequests.of(this.policy, List.of(loose, tight), "a", cost);
		assertThat(this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permit)).allowed()).isTrue();
		Decision denied = this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permit));
		assertThat(denied.limits()).extracting(LimitDecision::allowed).containsExactly(true, false);
		assertThat(denied.limits()).extracting(LimitDecision::limit).containsExactly(loose, tight);
		assertThat(denied.limits()).extracting(LimitDecision::remaining).containsExactly(100 - cost, 0L);
	}

	@ParameterizedTest
	@EnumSource
	void chargesEveryDebitOfACallOrNone(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "2/1s");
		List<PermitRequest> mine = PermitRequests.of(this.policy, List.of(limit), "a", 1);
		List<PermitRequest> everyones = PermitRequests.of(this.policy + "-global", List.of(limit), "all",
				limit.burst());
		assertThat(this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.and(mine, everyones)))
			.allowed()).isTrue();
		assertThat(this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.and(mine, everyones)))
			.allowed()).isFalse();
		assertThat(acquire(limit, "a", 0).remaining()).isEqualTo(limit.burst() - 1);
	}

	@ParameterizedTest
	@EnumSource
	void keepsPoliciesApart(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "1/1s");
		assertThat(acquire(limit, "a", 1).allowed()).isTrue();
		List<PermitRequest> other = PermitRequests.of(this.policy + "-other", List.of(limit), "a", 1);
		assertThat(this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, other)).allowed()).isTrue();
	}

	@Test
	void keepsKeysApartWhateverTheyContain() {
		Limit limit = AnyLimit.of(Algorithm.TOKEN_BUCKET, "1/1s");
		List<String> keys = List.of("", " ", "a", "A", "{}", "{a}", "a}", "a\r\nb", "a\u0000", "\u00e9", "e\u0301",
				"\ud800", "\ud801", "?", "x".repeat(10_000), "x".repeat(10_001), "1.2.3.4", "::1");
		assertThat(keys).allMatch((key) -> acquire(limit, key, 1).allowed());
		assertThat(keys).noneMatch((key) -> acquire(limit, key, 1).allowed());
	}

	@ParameterizedTest
	@EnumSource
	void goesOnFromWhatAnyOtherAlgorithmSpent(Algorithm algorithm) {
		for (Algorithm other : Algorithm.values()) {
			String key = other.id();
			Limit limit = AnyLimit.of(algorithm, "20/1m");
			long left = Math.max(0, limit.burst() - 6);
			spend(AnyLimit.of(other, "10/1m"), key, 6);
			assertThat(acquire(limit, key, 0).remaining()).as(key).isEqualTo(left);
			assertThat(acquire(AnyLimit.of(algorithm, "4/1m"), key, 1).allowed()).as(key).isFalse();
			assertThat(acquire(limit, key, Math.max(1, left)).allowed()).as(key).isEqualTo(left > 0);
		}
	}

	/** Tests limits with the same parts per permit and a different refill. */
	@Test
	void forgetsNothingForACallOfAnotherLimitThatIsDenied() {
		Limit slow = AnyLimit.of(Algorithm.TOKEN_BUCKET, "1/1s").withBurst(10);
		Limit fast = AnyLimit.of(Algorithm.TOKEN_BUCKET, "7/1s").withBurst(10);
		acquire(slow, "a", 8);
		assertThat(acquire(fast, "a", 5).allowed()).isFalse();
		this.clock.addAndGet(3 * SECOND);
		assertThat(acquire(slow, "a", 1).remaining()).isEqualTo(4);
		assertThat(acquire(fast, "a", 5).allowed()).isFalse();
		this.clock.addAndGet(5 * SECOND);
		assertThat(acquire(slow, "a", 0).remaining()).isEqualTo(9);
	}

	@ParameterizedTest
	@MethodSource
	void refundsNothingThatWasChargedBeforeAReset(Limit limit) {
		long charged = this.clock.get();
		long cost = Math.min(30, limit.burst());
		acquire(limit, "a", cost);
		this.clock.addAndGet(1000);
		execute(StoreOperation.RESET, limit, 0, 0);
		this.clock.addAndGet(1000);
		LimitDecision full = acquire(limit, "a", limit.burst());
		assertThat(full.allowed()).isTrue();
		assertThat(execute(StoreOperation.REFUND, limit, cost, charged)).isEqualTo(full);
		assertThat(execute(StoreOperation.REFUND, limit, cost, this.clock.get()).remaining()).isEqualTo(cost);
	}

	static Stream<Limit> refundsNothingThatWasChargedBeforeAReset() {
		return Stream.concat(Stream.of(Algorithm.values()).map((algorithm) -> AnyLimit.of(algorithm, "50/1h")),
				Stream.of(Limit.parse("50/1h align hour", Algorithm.FIXED_WINDOW)));
	}

	/** The other limit, as of another plan, would let the count refill sooner. */
	@Test
	void leavesACountAsItIsWhenACallOfAnotherLimitIsRefundedThatWasChargedBefore() {
		Limit slow = AnyLimit.of(Algorithm.TOKEN_BUCKET, "1/1s").withBurst(10);
		Limit fast = AnyLimit.of(Algorithm.TOKEN_BUCKET, "7/1s").withBurst(10);
		long charged = this.clock.get();
		acquire(fast, "a", 7);
		this.clock.addAndGet(2 * SECOND);
		acquire(slow, "a", 8);
		this.clock.addAndGet(SECOND);
		execute(StoreOperation.REFUND, fast, 7, charged);
		this.clock.addAndGet(SECOND);
		assertThat(acquire(slow, "a", 0).remaining()).isEqualTo(4);
	}

	/**
	 * Checks that such a charge, which cannot be distinguished from later ones, stays.
	 */
	@ParameterizedTest
	@MethodSource
	void refundsNothingThatWasChargedByAnotherAlgorithm(Algorithm one, Algorithm other) {
		long charged = this.clock.get();
		spend(AnyLimit.of(one, "50/1h"), "a", 30);
		this.clock.addAndGet(1000);
		Limit limit = AnyLimit.of(other, "50/1h");
		long remaining = acquire(limit, "a", Math.min(20, limit.burst())).remaining();
		assertThat(execute(StoreOperation.REFUND, limit, 30, charged).remaining()).isEqualTo(remaining).isZero();
	}

	static Stream<Arguments> refundsNothingThatWasChargedByAnotherAlgorithm() {
		return everyAlgorithm((one) -> everyAlgorithm(Stream::of).filter((other) -> !other.rule().equals(one.rule()))
			.map((other) -> Arguments.of(one, other)));
	}

	@ParameterizedTest
	@MethodSource("pairs")
	void admitsAtItsRetryAfterOnceAnotherLimitLeftNoRoom(Algorithm one, Algorithm other) {
		spend(AnyLimit.of(one, "100/1h"), "a", 100);
		Limit limit = AnyLimit.of(other, "3/1h");
		LimitDecision denied = acquire(limit, "a", limit.burst());
		assertThat(acquire(limit, "a", limit.burst())).isEqualTo(denied);
		assertThat(denied.remaining()).isZero();
		this.clock.addAndGet(denied.retryAfterMicros());
		assertThat(acquire(limit, "a", limit.burst()).allowed()).isTrue();
	}

	/**
	 * Checks that a denied call changes nothing, so that it never delays others.
	 */
	@ParameterizedTest
	@MethodSource("pairs")
	void staysAsItIsWhereACallOfAnotherLimitIsDenied(Algorithm one, Algorithm other) {
		Limit limit = AnyLimit.of(one, "100/1h");
		Limit small = AnyLimit.of(other, "3/1h");
		LimitDecision full = spend(limit, "a", 100);
		this.clock.addAndGet(60 * SECOND);
		assertThat(acquire(small, "a", small.burst()).allowed()).isFalse();
		assertThat(acquire(limit, "a", 0).resetAfterMicros()).isEqualTo(full.resetAfterMicros() - 60 * SECOND);
	}

	static Stream<Arguments> pairs() {
		return everyAlgorithm((one) -> everyAlgorithm((other) -> Stream.of(Arguments.of(one, other))));
	}

	private static <T> Stream<T> everyAlgorithm(Function<Algorithm, Stream<T>> arguments) {
		return Stream.of(Algorithm.values()).flatMap(arguments);
	}

	private LimitDecision execute(StoreOperation operation, Limit limit, long cost, long time) {
		PermitRequest permit = permit(limit, cost);
		PermitRequest timed = (operation == StoreOperation.REFUND) ? permit.refund(cost, time)
				: new PermitRequest(permit.policyLimit(), permit.key(), cost, time);
		return this.store.execute(StoreRequest.of(operation, timed)).limits().get(0);
	}

	@ParameterizedTest
	@EnumSource
	void neverLocksOutAfterTheClockSteppedBack(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "10/1s");
		acquire(limit, "a", limit.burst());
		long mostToWait = acquire(limit, "new", limit.burst()).resetAfterMicros() + limit.rate().periodMicros();
		this.clock.addAndGet(-3600 * SECOND);
		long wait = acquire(limit, "a", 1).retryAfterMicros();
		assertThat(wait).isBetween(1L, mostToWait);
		this.clock.addAndGet(wait);
		assertThat(acquire(limit, "a", 1).allowed()).isTrue();
	}

	@Test
	void reportsTheTimeOfItsDecision() {
		List<PermitRequest> permit = PermitRequests.of(this.policy,
				List.of(AnyLimit.of(Algorithm.TOKEN_BUCKET, "1/1s")), "a", 1);
		assertThat(this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permit)).storeTimeMicros())
			.isEqualTo(this.clock.get());
	}

	@ParameterizedTest
	@EnumSource
	void decidesTheSameWithoutBlocking(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "1/1s");
		List<PermitRequest> permit = PermitRequests.of(this.policy, List.of(limit), "a", 1);
		assertThat(this.store.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, permit))
			.toCompletableFuture()
			.join()
			.allowed()).isTrue();
		Decision denied = this.store.executeAsync(new StoreRequest(StoreOperation.ACQUIRE, permit))
			.toCompletableFuture()
			.join();
		assertThat(denied).isEqualTo(this.store.execute(new StoreRequest(StoreOperation.ACQUIRE, permit)));
	}

	@ParameterizedTest
	@EnumSource
	void admitsExactlyTheLimitToManyThreads(Algorithm algorithm) {
		Limit limit = AnyLimit.of(algorithm, "50/1m");
		ExecutorService threads = Executors.newFixedThreadPool(200);
		try {
			assertThat(IntStream.range(0, 1000)
				.mapToObj((call) -> CompletableFuture.supplyAsync(() -> acquire(limit, "hot", 1).allowed(), threads))
				.toList()).filteredOn(CompletableFuture::join).hasSize((int) limit.burst());
		}
		finally {
			threads.shutdownNow();
		}
	}

}

package io.github.ratelimit.store.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class PrefetchCacheTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/** A key with the hash code of alice, as each "dF" counts as much as "ce". */
	private static final String IN_THE_SAME_SLOT = "alidF";

	private static final Limit LIMIT = Limit.parse("100/1s", Algorithm.TOKEN_BUCKET);

	private static final StoreRequest TWO_PERIODS = new StoreRequest(StoreOperation.ACQUIRE,
			List.of(new PermitRequest(policyLimit(8), "alice", 1, 0), new PermitRequest(new PolicyLimit("quotes",
					"quotes", 0, Limit.parse("6000/1m", Algorithm.TOKEN_BUCKET), 0, 8, false, false), "alice", 1, 0)));

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 50 * MILLI);

	private final List<List<PermitRequest>> refunds = new ArrayList<>();

	private final PrefetchCache prefetches = new PrefetchCache(this.clock::get, (refund) -> {
		this.refunds.add(refund.permits());
		return CompletableFuture.completedFuture(null);
	});

	@Test
	void spendsAllPrefetchedPermitsAndNoMore() {
		keep("alice", 10, 2, 500_000);
		Decision first = this.prefetches.trySpend(request("alice"));
		assertThat(first).isEqualTo(decision(31, 500_000));
		assertThat(this.prefetches.trySpend(request("alice"))).isEqualTo(decision(30, 500_000));
		assertThat(this.prefetches.trySpend(request("alice"))).isNull();
	}

	/** Ten permits are refilled in 100 ms; 10 us more are for rounding. */
	@Test
	void spendsUntilTheKeyWouldBeFullWithoutThem() {
		keep("alice", 10, 9, 150_000);
		this.clock.addAndGet(50 * MILLI - 20_000);
		assertThat(this.prefetches.trySpend(request("alice"))).isNotNull();
		this.clock.addAndGet(20_000);
		assertThat(this.prefetches.trySpend(request("alice"))).isNull();
	}

	@Test
	void spendsForNoOtherKeyOrCost() {
		keep("alice", 10, 9, 500_000);
		assertThat(this.prefetches.trySpend(request("bob"))).isNull();
		assertThat(this.prefetches
			.trySpend(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(8), "alice", 2, 0))))
			.isNull();
	}

	@Test
	void addsUnspentPermitsToWhatAPeekFinds() {
		StoreRequest peek = request("alice").with(StoreOperation.PEEK);
		assertThat(this.prefetches.withUnspent(peek, decision(30, 500_000))).isEqualTo(decision(30, 500_000));
		keep("alice", 10, 9, 500_000);
		assertThat(this.prefetches.withUnspent(peek, decision(30, 500_000))).isEqualTo(decision(39, 500_000));
		assertThat(this.prefetches.trySpend(request("alice"))).isEqualTo(decision(38, 500_000));
		StoreRequest bob = request("bob").with(StoreOperation.PEEK);
		assertThat(this.prefetches.withUnspent(bob, decision(30, 500_000))).isEqualTo(decision(30, 500_000));
		this.clock.addAndGet(500 * MILLI);
		assertThat(this.prefetches.withUnspent(peek, decision(30, 0))).isEqualTo(decision(30, 0));
	}

	@Test
	void hidesTheLimitOfAHiddenPolicyFromAPeekNextToUnspentPermits() {
		PolicyLimit hidden = new PolicyLimit("quotes", "quotes", 0, LIMIT, 0, 8, false, true);
		StoreRequest request = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(hidden, "alice", 1, 0));
		LimitDecision found = new LimitDecision("quotes", "alice", LIMIT, 30, 0, 500_000, 0, true);
		this.prefetches.keep(new Prefetch(request, Decision.of(1, List.of(found)), 10, 9, this.clock.get()), null);
		assertThat(this.prefetches.withUnspent(request.with(StoreOperation.PEEK), Decision.of(1, List.of(found))))
			.isEqualTo(Decision.of(1, List.of(found.withRemaining(39))));
	}

	@Test
	void findsRoomForAPeekInUnspentPermits() {
		keep("alice", 10, 1, 500_000);
		assertThat(this.prefetches.withUnspent(request("alice", 1).with(StoreOperation.PEEK), denial(0)))
			.satisfies((decision) -> {
				assertThat(decision.allowed()).isTrue();
				assertThat(decision.limits().get(0).remaining()).isOne();
			});
		assertThat(this.prefetches.withUnspent(request("alice", 2).with(StoreOperation.PEEK), denial(0)).allowed())
			.isFalse();
	}

	@Test
	void prefetchesNothingForAnIdleKey() {
		assertThat(this.prefetches.tryRenew(request("alice"))).isNull();
		keep("alice", 1, 0, 900);
		assertThat(this.prefetches.tryRenew(request("alice"))).isNull();
		keep("alice", 1, 0, 500_000);
		this.clock.addAndGet(500 * MILLI);
		assertThat(this.prefetches.tryRenew(request("alice"))).isNull();
		keep("alice", 1, 0, 500_000);
		assertThat(this.prefetches.tryRenew(request("alice"))).isNotNull();
		assertThat(PrefetchCache.prefetched(request("alice"))).isEqualTo(7);
	}

	@Test
	void keepsOnePrefetchInFlight() {
		keep("alice", 1, 0, 500_000);
		Prefetch renewed = this.prefetches.tryRenew(request("alice"));
		assertThat(this.prefetches.tryRenew(request("alice"))).isNull();
		this.prefetches.abandon(renewed);
		keep("alice", 1, 0, 500_000);
		assertThat(this.prefetches.tryRenew(request("alice"))).isNotNull();
	}

	@Test
	void neverOverwritesAPrefetchWithPermitsLeft() {
		fetch("alice", 10, 3, 500_000);
		assertThat(this.prefetches.tryRenew(request("alice"))).isNull();
		keep("alice", 1, 0, 600_000);
		keep(IN_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.prefetches.tryRenew(request(IN_THE_SAME_SLOT))).isNull();
		assertThat(spendAll("alice")).isEqualTo(3);
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void keepsTheSlotOfAPrefetchInFlight() {
		keep("alice", 1, 0, 500_000);
		Prefetch renewed = this.prefetches.tryRenew(request("alice"));
		keep(IN_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.prefetches.tryRenew(request(IN_THE_SAME_SLOT))).isNull();
		this.prefetches.keep(prefetch("alice", 8, 7, 500_000), renewed);
		assertThat(spendAll("alice")).isEqualTo(7);
	}

	@Test
	void refundsUnspentPermitsOfAReplacedPrefetch() {
		fetch("alice", 10, 4, 150_000);
		this.clock.addAndGet(60 * MILLI);
		assertThat(this.prefetches.trySpend(request("alice"))).isNull();
		keep(IN_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.refunds).containsExactly(refund(4, 50_000));
	}

	@Test
	void refundsNoPermitsThatRedisHasExpired() {
		fetch("alice", 10, 4, 150_000);
		this.clock.addAndGet(150 * MILLI);
		keep(IN_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.refunds).isEmpty();
	}

	/** Each limit is the first of its period, so both have position 0. */
	@Test
	void neverOverwritesAPrefetchOnLimitsOfSeveralPeriods() {
		this.prefetches.keep(ofTwoPeriods(1, 0), null);
		this.prefetches.keep(ofTwoPeriods(10, 3), this.prefetches.tryRenew(TWO_PERIODS));
		this.prefetches.keep(ofTwoPeriods(1, 0), null);
		assertThat(Stream.generate(() -> Optional.ofNullable(this.prefetches.trySpend(TWO_PERIODS)))
			.takeWhile(Optional::isPresent)).hasSize(3);
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void refundsUnspentPermitsOnClose() {
		fetch("alice", 10, 4, 500_000);
		this.clock.addAndGet(20 * MILLI);
		this.prefetches.close();
		assertThat(this.refunds).containsExactly(refund(4, 1 + 20_000));
		assertThat(this.prefetches.trySpend(request("alice"))).isNull();
	}

	@Test
	void refundsAPrefetchThatComesAfterClose() {
		keep("alice", 1, 0, 500_000);
		Prefetch renewed = this.prefetches.tryRenew(request("alice"));
		this.prefetches.close();
		this.prefetches.keep(prefetch("alice", 8, 7, 500_000), renewed);
		assertThat(this.refunds).containsExactly(refund(7, 1));
		keep("alice", 1, 0, 500_000);
		assertThat(this.prefetches.tryRenew(request("alice"))).isNull();
	}

	@Test
	void closesEvenIfRefundsFail() {
		PrefetchCache failing = new PrefetchCache(this.clock::get,
				(refund) -> CompletableFuture.failedFuture(new IllegalStateException("gone")));
		fetch(failing, "alice", 10, 4, 500_000);
		assertThatNoException().isThrownBy(failing::close);
	}

	@Test
	void refundsAPrefetchForARequestOfTheSameCountThatFitsThen() {
		fetch("alice", 10, 4, 500_000);
		assertThat(this.prefetches.tryMakeRoom(request("alice", 36), denial(31))).isFalse();
		assertThat(this.prefetches.tryMakeRoom(request("bob", 35), denial(31))).isFalse();
		assertThat(this.prefetches.tryMakeRoom(request("alice", 1), denial(0))).isFalse();
		assertThat(this.refunds).isEmpty();
		assertThat(this.prefetches.tryMakeRoom(request("alice", 35), denial(31))).isTrue();
		assertThat(this.refunds).containsExactly(refund(4, 1));
		assertThat(this.prefetches.tryMakeRoom(request("alice", 35), denial(31))).isFalse();
	}

	/** A refund would count under the former limit. */
	@Test
	void dropsAPrefetchFromBeforeAChangeOfTheLimit() {
		fetch("alice", 10, 4, 500_000);
		StoreRequest changed = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(
				new PolicyLimit("quotes", "quotes", 0, LIMIT.withBurst(200), 0, 8, false, false), "alice", 1, 0));
		assertThat(this.prefetches.tryMakeRoom(changed, denial(0))).isFalse();
		this.prefetches.keep(new Prefetch(changed, decision(30, 500_000), 1, 0, this.clock.get()), null);
		assertThat(this.prefetches.tryRenew(changed)).isNotNull();
		assertThat(this.prefetches.trySpend(request("alice"))).isNull();
		assertThat(this.refunds).isEmpty();
	}

	/** A reset drops all charges before it, so there is nothing to refund. */
	@Test
	void dropsAPrefetchFromBeforeAReset() {
		keep("alice", 1, 0, 500_000);
		Prefetch renewed = this.prefetches.tryRenew(request("alice"));
		this.prefetches.evict(request("alice"));
		this.prefetches.keep(prefetch("alice", 8, 7, 500_000), renewed);
		assertThat(this.prefetches.trySpend(request("alice"))).isNull();
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void evictsThePrefetchesOfACount() {
		keep("alice", 10, 9, 500_000);
		keep("bob", 10, 9, 500_000);
		this.prefetches.evict(request("alice"));
		assertThat(this.prefetches.trySpend(request("alice"))).isNull();
		assertThat(this.prefetches.trySpend(request("bob"))).isNotNull();
	}

	@Test
	void evictsThePrefetchesOfCountsThatAnotherInstanceHasReset() {
		keep("alice", 10, 9, 500_000);
		keep("bob", 10, 9, 500_000);
		this.prefetches.evict((permit) -> permit.key().equals("alice"));
		assertThat(this.prefetches.trySpend(request("alice"))).isNull();
		assertThat(this.prefetches.trySpend(request("bob"))).isNotNull();
	}

	@Test
	void prefetchesOnlyForImmediateRequestsOfLimitsWithAPrefetch() {
		assertThat(PrefetchCache.isPrefetchable(request("alice"))).isTrue();
		assertThat(PrefetchCache
			.isPrefetchable(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(8), "alice", 5, 0))))
			.isFalse();
		assertThat(PrefetchCache
			.isPrefetchable(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(0), "alice", 1, 0))))
			.isFalse();
		assertThat(PrefetchCache
			.isPrefetchable(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(8), "alice", 1, 1))))
			.isFalse();
	}

	/** Keeps a prefetch with permits, which only a busy key has. */
	private void fetch(String key, long admitted, long left, long resetAfter) {
		fetch(this.prefetches, key, admitted, left, resetAfter);
	}

	private void fetch(PrefetchCache prefetches, String key, long admitted, long left, long resetAfter) {
		prefetches.keep(prefetch(key, 1, 0, 500_000), null);
		prefetches.keep(prefetch(key, admitted, left, resetAfter), prefetches.tryRenew(request(key)));
	}

	private void keep(String key, long admitted, long left, long resetAfter) {
		this.prefetches.keep(prefetch(key, admitted, left, resetAfter), null);
	}

	private Prefetch prefetch(String key, long admitted, long left, long resetAfter) {
		return new Prefetch(request(key), decision(30, resetAfter), admitted, left, this.clock.get());
	}

	private Prefetch ofTwoPeriods(long admitted, long left) {
		List<LimitDecision> decided = TWO_PERIODS.permits()
			.stream()
			.map((permit) -> new LimitDecision("quotes", "alice", permit.limit(), 30, 0, 500_000, 0))
			.toList();
		return new Prefetch(TWO_PERIODS, Decision.of(1, decided), admitted, left, this.clock.get());
	}

	private long spendAll(String key) {
		return Stream.generate(() -> Optional.ofNullable(this.prefetches.trySpend(request(key))))
			.takeWhile(Optional::isPresent)
			.count();
	}

	private static List<PermitRequest> refund(long permits, long time) {
		return List.of(new PermitRequest(policyLimit(8), "alice", 1, 0).refund(permits, time));
	}

	private static Decision denial(long remaining) {
		return Decision.of(1, List.of(new LimitDecision("quotes", "alice", LIMIT, remaining, 10, 500_000, 0)));
	}

	private static Decision decision(long remaining, long resetAfter) {
		return Decision.of(1, List.of(new LimitDecision("quotes", "alice", LIMIT, remaining, 0, resetAfter, 0)));
	}

	private static StoreRequest request(String key) {
		return request(key, 1);
	}

	private static StoreRequest request(String key, long cost) {
		return StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(8), key, cost, 0));
	}

	private static PolicyLimit policyLimit(long prefetch) {
		return new PolicyLimit("quotes", "quotes", 0, LIMIT, 0, prefetch, false, false);
	}

}

package io.github.ratelimit.spring.redis.roundtrip;

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

class LeaseCacheTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/** A key with the hash code of alice, as each "dF" counts as much as "ce". */
	private static final String IN_THE_SAME_SLOT = "alidF";

	private static final Limit LIMIT = Limit.parse("100/1s", Algorithm.TOKEN_BUCKET);

	private static final StoreRequest TWO_PERIODS = new StoreRequest(StoreOperation.ACQUIRE,
			List.of(new PermitRequest(policyLimit(8), "alice", 1, 0), new PermitRequest(
					new PolicyLimit("quotes", "quotes", 0, Limit.parse("6000/1m", Algorithm.TOKEN_BUCKET), 0, 8, false),
					"alice", 1, 0)));

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 50 * MILLI);

	private final List<List<PermitRequest>> refunds = new ArrayList<>();

	private final LeaseCache leases = new LeaseCache(this.clock::get, (refund) -> {
		this.refunds.add(refund.permits());
		return CompletableFuture.completedFuture(null);
	});

	@Test
	void spendsAllPrefetchedPermitsAndNoMore() {
		keep("alice", 10, 2, 500_000);
		Decision first = this.leases.trySpend(request("alice"));
		assertThat(first).isEqualTo(decision(31, 500_000));
		assertThat(this.leases.trySpend(request("alice"))).isEqualTo(decision(30, 500_000));
		assertThat(this.leases.trySpend(request("alice"))).isNull();
	}

	/** Ten permits are refilled in 100 ms; 10 us more are for rounding. */
	@Test
	void spendsUntilTheKeyWouldBeFullWithoutThem() {
		keep("alice", 10, 9, 150_000);
		this.clock.addAndGet(50 * MILLI - 20_000);
		assertThat(this.leases.trySpend(request("alice"))).isNotNull();
		this.clock.addAndGet(20_000);
		assertThat(this.leases.trySpend(request("alice"))).isNull();
	}

	@Test
	void spendsForNoOtherKeyOrCost() {
		keep("alice", 10, 9, 500_000);
		assertThat(this.leases.trySpend(request("bob"))).isNull();
		assertThat(this.leases
			.trySpend(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(8), "alice", 2, 0))))
			.isNull();
	}

	@Test
	void prefetchesNothingForAnIdleKey() {
		assertThat(this.leases.tryRenew(request("alice"))).isNull();
		keep("alice", 1, 0, 900);
		assertThat(this.leases.tryRenew(request("alice"))).isNull();
		keep("alice", 1, 0, 500_000);
		this.clock.addAndGet(500 * MILLI);
		assertThat(this.leases.tryRenew(request("alice"))).isNull();
		keep("alice", 1, 0, 500_000);
		assertThat(this.leases.tryRenew(request("alice"))).isNotNull();
		assertThat(LeaseCache.prefetched(request("alice"))).isEqualTo(7);
	}

	@Test
	void keepsOnePrefetchInFlight() {
		keep("alice", 1, 0, 500_000);
		Lease renewed = this.leases.tryRenew(request("alice"));
		assertThat(this.leases.tryRenew(request("alice"))).isNull();
		this.leases.abandon(renewed);
		keep("alice", 1, 0, 500_000);
		assertThat(this.leases.tryRenew(request("alice"))).isNotNull();
	}

	@Test
	void neverOverwritesALeaseWithPermitsLeft() {
		prefetch("alice", 10, 3, 500_000);
		assertThat(this.leases.tryRenew(request("alice"))).isNull();
		keep("alice", 1, 0, 600_000);
		keep(IN_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.leases.tryRenew(request(IN_THE_SAME_SLOT))).isNull();
		assertThat(spendAll("alice")).isEqualTo(3);
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void keepsTheSlotOfAPrefetchInFlight() {
		keep("alice", 1, 0, 500_000);
		Lease renewed = this.leases.tryRenew(request("alice"));
		keep(IN_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.leases.tryRenew(request(IN_THE_SAME_SLOT))).isNull();
		this.leases.keep(lease("alice", 8, 7, 500_000), renewed);
		assertThat(spendAll("alice")).isEqualTo(7);
	}

	@Test
	void refundsUnspentPermitsOfAReplacedLease() {
		prefetch("alice", 10, 4, 150_000);
		this.clock.addAndGet(60 * MILLI);
		assertThat(this.leases.trySpend(request("alice"))).isNull();
		keep(IN_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.refunds).containsExactly(refund(4, 50_000));
	}

	@Test
	void refundsNoPermitsThatRedisHasExpired() {
		prefetch("alice", 10, 4, 150_000);
		this.clock.addAndGet(150 * MILLI);
		keep(IN_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.refunds).isEmpty();
	}

	/** Each limit is the first of its period, so both have position 0. */
	@Test
	void neverOverwritesALeaseOnLimitsOfSeveralPeriods() {
		this.leases.keep(ofTwoPeriods(1, 0), null);
		this.leases.keep(ofTwoPeriods(10, 3), this.leases.tryRenew(TWO_PERIODS));
		this.leases.keep(ofTwoPeriods(1, 0), null);
		assertThat(Stream.generate(() -> Optional.ofNullable(this.leases.trySpend(TWO_PERIODS)))
			.takeWhile(Optional::isPresent)).hasSize(3);
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void refundsUnspentPermitsOnClose() {
		prefetch("alice", 10, 4, 500_000);
		this.clock.addAndGet(20 * MILLI);
		this.leases.close();
		assertThat(this.refunds).containsExactly(refund(4, 1 + 20_000));
		assertThat(this.leases.trySpend(request("alice"))).isNull();
	}

	@Test
	void refundsALeaseThatComesAfterClose() {
		keep("alice", 1, 0, 500_000);
		Lease renewed = this.leases.tryRenew(request("alice"));
		this.leases.close();
		this.leases.keep(lease("alice", 8, 7, 500_000), renewed);
		assertThat(this.refunds).containsExactly(refund(7, 1));
		keep("alice", 1, 0, 500_000);
		assertThat(this.leases.tryRenew(request("alice"))).isNull();
	}

	@Test
	void closesEvenIfRefundsFail() {
		LeaseCache failing = new LeaseCache(this.clock::get,
				(refund) -> CompletableFuture.failedFuture(new IllegalStateException("gone")));
		prefetch(failing, "alice", 10, 4, 500_000);
		assertThatNoException().isThrownBy(failing::close);
	}

	@Test
	void refundsALeaseForARequestOfTheSameCountThatFitsThen() {
		prefetch("alice", 10, 4, 500_000);
		assertThat(this.leases.tryMakeRoom(request("alice", 36), denial(31))).isFalse();
		assertThat(this.leases.tryMakeRoom(request("bob", 35), denial(31))).isFalse();
		assertThat(this.leases.tryMakeRoom(request("alice", 1), denial(0))).isFalse();
		assertThat(this.refunds).isEmpty();
		assertThat(this.leases.tryMakeRoom(request("alice", 35), denial(31))).isTrue();
		assertThat(this.refunds).containsExactly(refund(4, 1));
		assertThat(this.leases.tryMakeRoom(request("alice", 35), denial(31))).isFalse();
	}

	/** A refund would count under the former limit. */
	@Test
	void dropsALeaseFromBeforeAChangeOfTheLimit() {
		prefetch("alice", 10, 4, 500_000);
		StoreRequest changed = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(
				new PolicyLimit("quotes", "quotes", 0, LIMIT.withBurst(200), 0, 8, false), "alice", 1, 0));
		assertThat(this.leases.tryMakeRoom(changed, denial(0))).isFalse();
		this.leases.keep(new Lease(changed, decision(30, 500_000), 1, 0, this.clock.get()), null);
		assertThat(this.leases.tryRenew(changed)).isNotNull();
		assertThat(this.leases.trySpend(request("alice"))).isNull();
		assertThat(this.refunds).isEmpty();
	}

	/** A reset drops all charges before it, so there is nothing to refund. */
	@Test
	void dropsAPrefetchFromBeforeAReset() {
		keep("alice", 1, 0, 500_000);
		Lease renewed = this.leases.tryRenew(request("alice"));
		this.leases.evict(request("alice"));
		this.leases.keep(lease("alice", 8, 7, 500_000), renewed);
		assertThat(this.leases.trySpend(request("alice"))).isNull();
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void evictsTheLeasesOfACount() {
		keep("alice", 10, 9, 500_000);
		keep("bob", 10, 9, 500_000);
		this.leases.evict(request("alice"));
		assertThat(this.leases.trySpend(request("alice"))).isNull();
		assertThat(this.leases.trySpend(request("bob"))).isNotNull();
	}

	@Test
	void leasesOnlyImmediateRequestsOfLimitsWithALease() {
		assertThat(LeaseCache.isLeasable(request("alice"))).isTrue();
		assertThat(LeaseCache
			.isLeasable(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(8), "alice", 5, 0))))
			.isFalse();
		assertThat(LeaseCache
			.isLeasable(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(0), "alice", 1, 0))))
			.isFalse();
		assertThat(LeaseCache
			.isLeasable(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(8), "alice", 1, 1))))
			.isFalse();
	}

	/** Keeps a prefetched lease, which only a busy key has. */
	private void prefetch(String key, long admitted, long left, long resetAfter) {
		prefetch(this.leases, key, admitted, left, resetAfter);
	}

	private void prefetch(LeaseCache leases, String key, long admitted, long left, long resetAfter) {
		leases.keep(lease(key, 1, 0, 500_000), null);
		leases.keep(lease(key, admitted, left, resetAfter), leases.tryRenew(request(key)));
	}

	private void keep(String key, long admitted, long left, long resetAfter) {
		this.leases.keep(lease(key, admitted, left, resetAfter), null);
	}

	private Lease lease(String key, long admitted, long left, long resetAfter) {
		return new Lease(request(key), decision(30, resetAfter), admitted, left, this.clock.get());
	}

	private Lease ofTwoPeriods(long admitted, long left) {
		List<LimitDecision> decided = TWO_PERIODS.permits()
			.stream()
			.map((permit) -> new LimitDecision("quotes", permit.limit(), 30, 0, 500_000))
			.toList();
		return new Lease(TWO_PERIODS, Decision.of(1, decided), admitted, left, this.clock.get());
	}

	private long spendAll(String key) {
		return Stream.generate(() -> Optional.ofNullable(this.leases.trySpend(request(key))))
			.takeWhile(Optional::isPresent)
			.count();
	}

	private static List<PermitRequest> refund(long permits, long time) {
		return List.of(new PermitRequest(policyLimit(8), "alice", 1, 0).refund(permits, time));
	}

	private static Decision denial(long remaining) {
		return Decision.of(1, List.of(new LimitDecision("quotes", LIMIT, remaining, 10, 500_000)));
	}

	private static Decision decision(long remaining, long resetAfter) {
		return Decision.of(1, List.of(new LimitDecision("quotes", LIMIT, remaining, 0, resetAfter)));
	}

	private static StoreRequest request(String key) {
		return request(key, 1);
	}

	private static StoreRequest request(String key, long cost) {
		return StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit(8), key, cost, 0));
	}

	private static PolicyLimit policyLimit(long lease) {
		return new PolicyLimit("quotes", "quotes", 0, LIMIT, 0, lease, false);
	}

}

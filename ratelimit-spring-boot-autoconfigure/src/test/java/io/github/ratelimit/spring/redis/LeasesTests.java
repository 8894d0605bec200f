package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class LeasesTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	/** Its hash code is that of alice, as each "dF" is worth as much as "ce". */
	private static final String OF_THE_SAME_SLOT = "alidF";

	private static final Limit LIMIT = Limit.parse("100/1s", Algorithm.TOKEN_BUCKET);

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 50 * MILLI);

	private final List<List<Debit>> refunds = new ArrayList<>();

	private final Leases leases = new Leases(this.clock::get, (debits) -> {
		this.refunds.add(debits);
		return CompletableFuture.completedFuture(null);
	});

	@Test
	void spendsWhatWasTakenAndNoMore() {
		keep("alice", 10, 2, 500_000);
		Decision first = this.leases.spend(debits("alice"));
		assertThat(first).isEqualTo(decision(31, 500_000));
		assertThat(this.leases.spend(debits("alice"))).isEqualTo(decision(30, 500_000));
		assertThat(this.leases.spend(debits("alice"))).isNull();
	}

	/** Ten permits are refilled in 100 ms, and 10 us more are for rounding. */
	@Test
	void spendsUntilTheBucketWouldBeFullWithoutThem() {
		keep("alice", 10, 9, 150_000);
		this.clock.addAndGet(50 * MILLI - 20_000);
		assertThat(this.leases.spend(debits("alice"))).isNotNull();
		this.clock.addAndGet(20_000);
		assertThat(this.leases.spend(debits("alice"))).isNull();
	}

	@Test
	void spendsForNoOtherKeyOrCost() {
		keep("alice", 10, 9, 500_000);
		assertThat(this.leases.spend(debits("bob"))).isNull();
		assertThat(this.leases.spend(List.of(new Debit(clause(8), "alice", 2, 0)))).isNull();
	}

	@Test
	void takesNothingInAdvanceOfABucketThatIsNearlyFull() {
		assertThat(this.leases.tryRenew(debits("alice"))).isNull();
		keep("alice", 1, 0, 900);
		assertThat(this.leases.tryRenew(debits("alice"))).isNull();
		keep("alice", 1, 0, 500_000);
		this.clock.addAndGet(500 * MILLI);
		assertThat(this.leases.tryRenew(debits("alice"))).isNull();
		keep("alice", 1, 0, 500_000);
		assertThat(this.leases.tryRenew(debits("alice"))).isNotNull();
		assertThat(Leases.prefetched(debits("alice"))).isEqualTo(7);
	}

	@Test
	void prefetchesOnceAtATime() {
		keep("alice", 1, 0, 500_000);
		Lease renewed = this.leases.tryRenew(debits("alice"));
		assertThat(this.leases.tryRenew(debits("alice"))).isNull();
		this.leases.abandon(renewed);
		keep("alice", 1, 0, 500_000);
		assertThat(this.leases.tryRenew(debits("alice"))).isNotNull();
	}

	@Test
	void neverOverwritesALeaseWithPermitsLeft() {
		take("alice", 10, 3, 500_000);
		assertThat(this.leases.tryRenew(debits("alice"))).isNull();
		keep("alice", 1, 0, 600_000);
		keep(OF_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.leases.tryRenew(debits(OF_THE_SAME_SLOT))).isNull();
		assertThat(spendAll("alice")).isEqualTo(3);
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void keepsTheSlotOfALeaseThatIsOnItsWay() {
		keep("alice", 1, 0, 500_000);
		Lease renewed = this.leases.tryRenew(debits("alice"));
		keep(OF_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.leases.tryRenew(debits(OF_THE_SAME_SLOT))).isNull();
		this.leases.keep(lease("alice", 8, 7, 500_000), renewed);
		assertThat(spendAll("alice")).isEqualTo(7);
	}

	@Test
	void givesBackWhatIsLeftOfALeaseThatIsOver() {
		take("alice", 10, 4, 150_000);
		this.clock.addAndGet(60 * MILLI);
		assertThat(this.leases.spend(debits("alice"))).isNull();
		keep(OF_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.refunds).containsExactly(refund(4, 50_000));
	}

	@Test
	void givesNothingBackThatRedisHasForgotten() {
		take("alice", 10, 4, 150_000);
		this.clock.addAndGet(150 * MILLI);
		keep(OF_THE_SAME_SLOT, 1, 0, 600_000);
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void givesBackWhatIsUnspentWhenItCloses() {
		take("alice", 10, 4, 500_000);
		this.clock.addAndGet(20 * MILLI);
		this.leases.close();
		assertThat(this.refunds).containsExactly(refund(4, 1 + 20_000));
		assertThat(this.leases.spend(debits("alice"))).isNull();
	}

	@Test
	void givesBackWhatComesAfterItClosed() {
		keep("alice", 1, 0, 500_000);
		Lease renewed = this.leases.tryRenew(debits("alice"));
		this.leases.close();
		this.leases.keep(lease("alice", 8, 7, 500_000), renewed);
		assertThat(this.refunds).containsExactly(refund(7, 1));
		keep("alice", 1, 0, 500_000);
		assertThat(this.leases.tryRenew(debits("alice"))).isNull();
	}

	@Test
	void closesAlthoughRedisTakesNothingBack() {
		Leases refused = new Leases(this.clock::get,
				(debits) -> CompletableFuture.failedFuture(new IllegalStateException("gone")));
		take(refused, "alice", 10, 4, 500_000);
		assertThatNoException().isThrownBy(refused::close);
	}

	@Test
	void makesRoomForACallOfTheSameCountThatAsksForMore() {
		take("alice", 10, 4, 500_000);
		assertThat(this.leases.tryMakeRoom(debits("alice", 36), denial(31))).isFalse();
		assertThat(this.leases.tryMakeRoom(debits("bob", 35), denial(31))).isFalse();
		assertThat(this.leases.tryMakeRoom(debits("alice", 1), denial(0))).isFalse();
		assertThat(this.refunds).isEmpty();
		assertThat(this.leases.tryMakeRoom(debits("alice", 35), denial(31))).isTrue();
		assertThat(this.refunds).containsExactly(refund(4, 1));
		assertThat(this.leases.tryMakeRoom(debits("alice", 35), denial(31))).isFalse();
	}

	/**
	 * What is given back is charged to the limit of then, and the count would follow it.
	 */
	@Test
	void losesWhatWasTakenUnderAnotherLimit() {
		take("alice", 10, 4, 500_000);
		Debit changed = new Debit(new Clause("quotes", "quotes", 0, LIMIT.withBurst(200), 0, 8), "alice", 1, 0);
		assertThat(this.leases.tryMakeRoom(List.of(changed), denial(0))).isFalse();
		this.leases.keep(new Lease(List.of(changed), decision(30, 500_000), 1, 0, this.clock.get()), null);
		assertThat(this.leases.tryRenew(List.of(changed))).isNotNull();
		assertThat(this.leases.spend(debits("alice"))).isNull();
		assertThat(this.refunds).isEmpty();
	}

	/**
	 * A reset wipes out what was charged before it, so that there is nothing to give
	 * back.
	 */
	@Test
	void losesWhatComesAfterAReset() {
		keep("alice", 1, 0, 500_000);
		Lease renewed = this.leases.tryRenew(debits("alice"));
		this.leases.forget(debits("alice"));
		this.leases.keep(lease("alice", 8, 7, 500_000), renewed);
		assertThat(this.leases.spend(debits("alice"))).isNull();
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void losesWhatRedisForgets() {
		keep("alice", 10, 9, 500_000);
		keep("bob", 10, 9, 500_000);
		this.leases.forget(debits("alice"));
		assertThat(this.leases.spend(debits("alice"))).isNull();
		assertThat(this.leases.spend(debits("bob"))).isNotNull();
	}

	@Test
	void isForLimitsThatHaveALeaseAndCallsThatDoNotWait() {
		assertThat(Leases.areFor(debits("alice"))).isTrue();
		assertThat(Leases.areFor(List.of(new Debit(clause(8), "alice", 5, 0)))).isFalse();
		assertThat(Leases.areFor(List.of(new Debit(clause(0), "alice", 1, 0)))).isFalse();
		assertThat(Leases.areFor(List.of(new Debit(clause(8), "alice", 1, 1)))).isFalse();
	}

	/** As one that is taken in advance, which a busy key alone may be. */
	private void take(String key, long admitted, long left, long resetAfter) {
		take(this.leases, key, admitted, left, resetAfter);
	}

	private void take(Leases leases, String key, long admitted, long left, long resetAfter) {
		leases.keep(lease(key, 1, 0, 500_000), null);
		leases.keep(lease(key, admitted, left, resetAfter), leases.tryRenew(debits(key)));
	}

	private void keep(String key, long admitted, long left, long resetAfter) {
		this.leases.keep(lease(key, admitted, left, resetAfter), null);
	}

	private Lease lease(String key, long admitted, long left, long resetAfter) {
		return new Lease(debits(key), decision(30, resetAfter), admitted, left, this.clock.get());
	}

	private long spendAll(String key) {
		return Stream.generate(() -> Optional.ofNullable(this.leases.spend(debits(key))))
			.takeWhile(Optional::isPresent)
			.count();
	}

	private static List<Debit> refund(long permits, long time) {
		return List.of(new Debit(clause(8), "alice", permits, time));
	}

	private static Decision denial(long remaining) {
		return Decision.of(1, List.of(new LimitDecision("quotes", LIMIT, remaining, 10, 500_000)));
	}

	private static Decision decision(long remaining, long resetAfter) {
		return Decision.of(1, List.of(new LimitDecision("quotes", LIMIT, remaining, 0, resetAfter)));
	}

	private static List<Debit> debits(String key) {
		return debits(key, 1);
	}

	private static List<Debit> debits(String key, long cost) {
		return List.of(new Debit(clause(8), key, cost, 0));
	}

	private static Clause clause(long lease) {
		return new Clause("quotes", "quotes", 0, LIMIT, 0, lease);
	}

}

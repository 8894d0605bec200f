package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeasesTests {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final Limit LIMIT = Limit.parse("100/1s", Algorithm.TOKEN_BUCKET);

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 50 * MILLI);

	private final Leases leases = new Leases(this.clock::get);

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
		assertThat(this.leases.inAdvance(debits("alice"))).isZero();
		keep("alice", 1, 0, 900);
		assertThat(this.leases.inAdvance(debits("alice"))).isZero();
		keep("alice", 1, 0, 500_000);
		assertThat(this.leases.inAdvance(debits("alice"))).isEqualTo(7);
		this.clock.addAndGet(500 * MILLI);
		assertThat(this.leases.inAdvance(debits("alice"))).isZero();
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

	private void keep(String key, long admitted, long left, long resetAfter) {
		this.leases.keep(debits(key), decision(30, resetAfter), admitted, left, this.clock.get());
	}

	private static Decision decision(long remaining, long resetAfter) {
		return Decision.of(1, List.of(new LimitDecision("quotes", LIMIT, remaining, 0, resetAfter)));
	}

	private static List<Debit> debits(String key) {
		return List.of(new Debit(clause(8), key, 1, 0));
	}

	private static Clause clause(long lease) {
		return new Clause("quotes", "quotes", 0, LIMIT, 0, lease);
	}

}

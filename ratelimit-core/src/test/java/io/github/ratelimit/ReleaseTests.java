package io.github.ratelimit;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.PolicyOptions.MaxCost;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of permits that calls hold until they are released.
 */
class ReleaseTests {

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final Policy policy = new Policy("api", List.of(limit("100/1m"), limit("2 concurrent")),
			List.of(Policy.EVERYONE));

	private final Policy slots = new Policy("slots", List.of(limit("1 concurrent")), List.of(Policy.EVERYONE));

	private final Policies policies = new Policies(
			List.of(this.policy, this.slots, new Policy("plain", List.of(limit("100/1m")), List.of(Policy.EVERYONE)),
					new Policy("tried", List.of(limit("1 concurrent")), List.of(Policy.EVERYONE))
						.withMode(EnforcementMode.SHADOW, List.of())));

	private final RateLimiter limiter = new RateLimiter(this.policies, new MemoryRateLimitStore(100, this.clock::get),
			List.of());

	@AfterEach
	void close() {
		this.limiter.close();
	}

	@Test
	void admitsAnotherCallAfterARelease() {
		Reservation first = reserve("api", 1);
		assertThat(reserve("api", 1).decision().allowed()).isTrue();
		assertThat(reserve("api", 1).decision().allowed()).isFalse();
		this.limiter.release(first);
		assertThat(first.holdsPermits()).isFalse();
		assertThat(reserve("api", 1).decision().allowed()).isTrue();
	}

	/** Checks that a rate whose period is the lease has another count. */
	@Test
	void holdsPermitsWhateverTheRatesNextToThem() {
		reserve("api", 1);
		reserve("api", 1);
		Policy other = new Policy("api", List.of(limit("100/30s"), limit("2 concurrent")), List.of(Policy.EVERYONE));
		this.policies.replace(other);
		assertThat(reserve("api", 1).decision().allowed()).isFalse();
		assertThat(this.limiter.peek(List.of(new Charge("api", "a", 1))).limits().get(0).remaining()).isEqualTo(100);
	}

	@Test
	void releasesOnceWhateverItsOrder() {
		Reservation first = reserve("api", 1);
		reserve("api", 1);
		this.limiter.release(first);
		this.limiter.release(first);
		this.limiter.refund(first);
		this.limiter.releaseAsync(first).toCompletableFuture().join();
		assertThat(remaining("api")).containsExactly(99L, 1L);
	}

	@Test
	void keepsTheRatesChargedWhenItReleases() {
		Reservation reservation = reserve("api", 10);
		this.limiter.releaseAsync(reservation).toCompletableFuture().join();
		assertThat(remaining("api")).containsExactly(90L, 2L);
	}

	@Test
	void refundsTheRatesAndWhatIsHeld() {
		this.limiter.refund(reserve("api", 10));
		assertThat(remaining("api")).containsExactly(100L, 2L);
		this.limiter.refundAsync(reserve("api", 10)).toCompletableFuture().join();
		assertThat(remaining("api")).containsExactly(100L, 2L);
	}

	@Test
	void keepsWhatIsHeldWhenItAdjusts() {
		Reservation reservation = reserve("api", 10);
		this.limiter.adjust(reservation, 30);
		assertThat(reservation.holdsPermits()).isTrue();
		assertThat(remaining("api")).containsExactly(70L, 1L);
		this.limiter.release(reservation);
		assertThat(remaining("api")).containsExactly(70L, 2L);
	}

	@Test
	void holdsOnePermitWhateverTheCallCosts() {
		assertThat(reserve("api", 50).decision().allowed()).isTrue();
		assertThat(remaining("api")).containsExactly(50L, 1L);
		assertThat(reserve("api", 0).holdsPermits()).isFalse();
		assertThat(reserve("slots", Long.MAX_VALUE).holdsPermits()).isTrue();
	}

	@Test
	void chargesNeitherTheRateNorThePermitIfOneIsMissing() {
		reserve("slots", 1);
		Reservation denied = this.limiter
			.reserve(List.of(new Charge("api", "a", 1), new Charge("slots", Policy.EVERYONE, 1)));
		assertThat(denied.decision().allowed()).isFalse();
		assertThat(denied.holdsPermits()).isFalse();
		assertThat(this.limiter.peek(List.of(Charge.of("api", "a"))).limits()).extracting(LimitDecision::remaining)
			.containsExactly(100L, 2L);
		this.limiter.release(denied);
		assertThat(reserve("slots", 1).decision().allowed()).isFalse();
	}

	@Test
	void releasesThePartsOfSeveralCharges() {
		Reservation both = this.limiter
			.reserve(List.of(new Charge("api", Policy.EVERYONE, 1), new Charge("slots", Policy.EVERYONE, 1)));
		List<Reservation> parts = both.perCharge();
		this.limiter.release(parts.get(1));
		assertThat(parts).extracting(Reservation::holdsPermits).containsExactly(true, false);
		assertThat(reserve("slots", 1).decision().allowed()).isTrue();
		this.limiter.release(both);
		assertThat(both.holdsPermits()).isFalse();
		assertThat(remaining("api")).containsExactly(99L, 2L);
		assertThat(remaining("slots")).containsExactly(0L);
	}

	@Test
	void holdsNothingWithoutALimitOnConcurrency() {
		Reservation reservation = reserve("plain", 1);
		assertThat(reservation.holdsPermits()).isFalse();
		this.limiter.release(reservation);
		assertThat(remaining("plain")).containsExactly(99L);
	}

	@Test
	void holdsInShadowWhatFits() {
		Reservation first = reserve("tried", 1);
		Reservation second = reserve("tried", 1);
		assertThat(first.holdsPermits()).isTrue();
		assertThat(second.holdsPermits()).isFalse();
		assertThat(second.decision().allowed()).isTrue();
		this.limiter.release(first);
		assertThat(reserve("tried", 1).holdsPermits()).isTrue();
	}

	@Test
	void refusesToAcquireWhatNothingCouldRelease() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.limiter.acquire(Charge.of("api", Policy.EVERYONE)))
			.withMessage("policy 'api' limits calls at a time, 2 concurrent: "
					+ "reserve, and release the reservation when the call ends");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.limiter.acquireAsync(Charge.of("tried", Policy.EVERYONE)));
		assertThat(remaining("api")).containsExactly(100L, 2L);
	}

	@Test
	void releasesAsynchronousReservationsAndThoseThatWereCancelled() {
		Reservation reservation = this.limiter.reserveAsync(List.of(Charge.of("slots", Policy.EVERYONE)))
			.toCompletableFuture()
			.join();
		assertThat(reservation.holdsPermits()).isTrue();
		this.limiter.releaseAsync(reservation).toCompletableFuture().join();
		assertThat(remaining("slots")).containsExactly(1L);
	}

	@Test
	void neverFailsToReleaseIfTheStoreFails() {
		TestStore store = new TestStore(this.clock::get);
		RateLimiter failing = new RateLimiter(
				new Policies(List
					.of(this.slots.withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100)))),
				store, List.of());
		Reservation reservation = failing.reserve(List.of(Charge.of("slots", Policy.EVERYONE)));
		store.fail();
		failing.release(reservation);
		assertThat(failing.releaseAsync(reservation).toCompletableFuture()).isCompleted();
	}

	@Test
	void refusesOptionsThatMakeNoSense() {
		PolicyOptions options = PolicyOptions.STANDARD;
		assertThatIllegalArgumentException().isThrownBy(() -> this.policy.withOptions(options.withPrefetch(2)))
			.withMessageContaining("is not for 2 concurrent, whose permits cannot be taken in advance");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.slots.withOptions(options.withMaxCost(new MaxCost(5, true))))
			.withMessageContaining("a maximum cost is not for policy 'slots', which limits calls at a time alone");
		assertThat(this.policy.withOptions(options.withMaxCost(new MaxCost(5, true)))).isNotNull();
	}

	private Reservation reserve(String policy, long cost) {
		return this.limiter.reserve(List.of(new Charge(policy, Policy.EVERYONE, cost)));
	}

	private List<Long> remaining(String policy) {
		Decision decision = this.limiter.peek(List.of(new Charge(policy, Policy.EVERYONE, 0)));
		return decision.limits().stream().map(LimitDecision::remaining).toList();
	}

	private static Limit limit(String text) {
		return Limit.parse(text, Algorithm.TOKEN_BUCKET);
	}

}

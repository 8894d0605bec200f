package io.github.ratelimit;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.PolicyOptions.MaxCost;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the operations next to acquire: reserve, refund, adjust, peek and reset.
 */
class ReservationTests {

	private static final long SECOND = 1_000_000;

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final Policies policies = new Policies(
			List.of(policy("plain", "10/1s token-bucket"), policy("other", "5/1s fixed-window"),
					policy("capped", "10/1s").withOptions(PolicyOptions.STANDARD.withMaxCost(new MaxCost(4, true))),
					policy("refused", "10/1s").withOptions(PolicyOptions.STANDARD.withMaxCost(new MaxCost(4, false))),
					policy("batch", "10/1s token-bucket").withOptions(PolicyOptions.STANDARD.sharing("plain", 25))));

	private final RateLimiter limiter = new RateLimiter(this.policies, new MemoryRateLimitStore(1000, this.clock::get),
			List.of());

	@Test
	void showsItsFieldsToOtherThreadsWithoutALock() {
		assertThat(Reservation.class.getDeclaredFields())
			.allMatch((field) -> (field.getModifiers() & (Modifier.FINAL | Modifier.VOLATILE)) != 0);
	}

	@Test
	void refundsOnce() {
		Reservation reservation = this.limiter.reserve(List.of(new Charge("plain", "a", 4)));
		this.limiter.acquire(new Charge("plain", "a", 6));
		this.limiter.refund(reservation);
		this.limiter.refund(reservation);
		this.limiter.adjust(reservation, 0);
		assertThat(remaining("plain", "a")).isEqualTo(4);
	}

	@Test
	void refundsOncePerPartAndWhole() {
		Reservation reservation = this.limiter
			.reserve(List.of(new Charge("plain", "a", 4), new Charge("other", "a", 2)));
		this.limiter.refund(reservation.perCharge().get(1));
		assertThat(remaining("plain", "a")).isEqualTo(6);
		assertThat(remaining("other", "a")).isEqualTo(5);
		this.limiter.acquire(new Charge("other", "a", 2));
		this.limiter.refundAsync(reservation).toCompletableFuture().join();
		assertThat(remaining("plain", "a")).isEqualTo(10);
		assertThat(remaining("other", "a")).isEqualTo(3);
	}

	@Test
	void refundsNothingOfADeniedCall() {
		this.limiter.acquire(new Charge("plain", "a", 8));
		Reservation denied = this.limiter.reserve(List.of(new Charge("plain", "a", 4)));
		this.limiter.refund(denied);
		assertThat(remaining("plain", "a")).isEqualTo(2);
	}

	@Test
	void refundsNothingOfAWindowThatHasEnded() {
		Reservation reservation = this.limiter.reserve(List.of(new Charge("other", "a", 3)));
		this.clock.addAndGet(SECOND);
		this.limiter.acquire(new Charge("other", "a", 4));
		this.limiter.refund(reservation);
		assertThat(remaining("other", "a")).isEqualTo(1);
	}

	@Test
	void adjustsUpAndDown() {
		Reservation tooMuch = this.limiter.reserve(List.of(new Charge("plain", "a", 6)));
		this.limiter.adjust(tooMuch, 2);
		assertThat(remaining("plain", "a")).isEqualTo(8);
		Reservation tooLittle = this.limiter.reserveAsync(List.of(new Charge("plain", "a", 1)))
			.toCompletableFuture()
			.join();
		this.limiter.adjustAsync(tooLittle, 5).toCompletableFuture().join();
		assertThat(remaining("plain", "a")).isEqualTo(3);
	}

	@Test
	void owesAnAdjustmentAboveWhatIsLeft() {
		Reservation reservation = this.limiter.reserve(List.of(new Charge("plain", "a", 1)));
		this.limiter.adjust(reservation, 25);
		assertThat(this.limiter.acquire(Charge.of("plain", "a")).retryAfterMicros()).isEqualTo(16 * SECOND / 10);
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.algorithm.Algorithm#rates")
	void owesAnAdjustmentAboveAllThatCanBeCounted(Algorithm algorithm) {
		this.policies.add(new Policy("any", List.of(Limit.parse("10/1h", algorithm)), List.of("global")));
		List<Charge> charges = List.of(Charge.of("any", "a"), new Charge("any", "a", 0));
		for (int time = 0; time < 2; time++) {
			this.limiter.adjust(this.limiter.reserve(charges), Long.MAX_VALUE);
			assertThat(this.limiter.acquire(Charge.of("any", "a")).allowed()).isFalse();
		}
	}

	@Test
	void addsUpTheRefundsOfOneCount() {
		Reservation reservation = this.limiter
			.reserve(List.of(new Charge("plain", "a", 2), new Charge("plain", "a", 3)));
		assertThat(remaining("plain", "a")).isEqualTo(5);
		this.limiter.refund(reservation);
		assertThat(remaining("plain", "a")).isEqualTo(10);
	}

	@Test
	void peeksWithoutCharging() {
		List<Charge> call = List.of(new Charge("plain", "a", 7));
		assertThat(this.limiter.peek(call).allowed()).isTrue();
		assertThat(this.limiter.peek(call)).isEqualTo(this.limiter.peekAsync(call).toCompletableFuture().join());
		this.limiter.acquire(call);
		assertThat(this.limiter.peek(call).retryAfterMicros()).isEqualTo(SECOND * 4 / 10);
		assertThat(remaining("plain", "a")).isEqualTo(3);
	}

	@Test
	void throwsAtOnceIfThereIsNoPolicyToReset() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.limiter.reset("missing", "a"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.limiter.resetAsync("missing", "a"));
	}

	@Test
	void resetsAKey() {
		this.limiter.acquire(new Charge("plain", "a", 10));
		this.limiter.acquire(new Charge("plain", "b", 10));
		this.limiter.reset("plain", "a");
		assertThat(remaining("plain", "a")).isEqualTo(10);
		this.limiter.resetAsync("plain", "b").toCompletableFuture().join();
		assertThat(remaining("plain", "b")).isEqualTo(10);
	}

	@Test
	void chargesNoMoreThanTheMaximumCostWhereItClamps() {
		this.limiter.acquire(new Charge("capped", "a", 1000));
		assertThat(remaining("capped", "a")).isEqualTo(6);
		this.limiter.adjust(this.limiter.reserve(List.of(Charge.of("capped", "a"))), 1000);
		assertThat(remaining("capped", "a")).isEqualTo(2);
	}

	@Test
	void refusesMoreThanTheMaximumCostOtherwise() {
		assertThatExceptionOfType(UnsatisfiableCostException.class)
			.isThrownBy(() -> this.limiter.acquire(new Charge("refused", "a", 5)))
			.withMessage("'cost' must be at most 4, the maximum cost in policy 'refused', was 5");
		assertThat(this.limiter.acquire(new Charge("refused", "a", 4)).allowed()).isTrue();
	}

	@Test
	void leavesAReserveToThePolicyThatSharesTheCounts() {
		this.limiter.acquire(new Charge("batch", "a", 7));
		Decision denied = this.limiter.acquire(Charge.of("batch", "a"));
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.retryAfterMicros()).isEqualTo(SECOND / 10);
		assertThat(denied.limits().get(0).remaining()).isZero();
		assertThat(this.limiter.acquire(new Charge("plain", "a", 3)).allowed()).isTrue();
	}

	@Test
	void refusesACostThatTheReserveNeverLeaves() {
		assertThatExceptionOfType(UnsatisfiableCostException.class)
			.isThrownBy(() -> this.limiter.acquire(new Charge("batch", "a", 8)))
			.withMessage("'cost' must be at most 7, what the reserve leaves of the burst of limit 10/1s in policy"
					+ " 'batch', was 8");
	}

	@Test
	void refusesToChargeOneCountByTwoPolicies() {
		List<Charge> both = List.of(Charge.of("plain", "a"), Charge.of("batch", "a"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.limiter.acquire(both))
			.withMessage("policy 'batch' shares its counts with another that the call charges too: charge one of them");
	}

	@Test
	void refusesAReserveThatLeavesNothing() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> policy("tight", "1/1s").withOptions(PolicyOptions.STANDARD.sharing("plain", 1)))
			.withMessage("a reserve of 1% leaves nothing of limit 1/1s in policy 'tight', whose burst is 1");
	}

	private long remaining(String policy, String key) {
		return this.limiter.peek(List.of(new Charge(policy, key, 0))).limits().get(0).remaining();
	}

	private static Policy policy(String name, String limit) {
		return new Policy(name, List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)), List.of("global"));
	}

}

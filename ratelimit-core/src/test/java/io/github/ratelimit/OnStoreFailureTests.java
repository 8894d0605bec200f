package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.LocalShare;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.PolicyOptions.MaxCost;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OnStoreFailureTests {

	private static final long SECOND = 1_000_000;

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final Policies policies = new Policies(
			List.of(policy("allow", OnStoreFailure.ALLOW, 100), policy("deny", OnStoreFailure.DENY, 100),
					policy("local", OnStoreFailure.LOCAL, 100), policy("half", OnStoreFailure.LOCAL, 50)));

	private final TestStore store = new TestStore(this.clock::get);

	private final RecordingListener listener = new RecordingListener();

	private final RecordingSleeper sleeper = new RecordingSleeper();

	private final RateLimiter limiter = new RateLimiter(this.policies,
			new DecisionEngine(this.policies, this.store,
					new StoreFallback(this.policies, this.store, new MemoryRateLimitStore(1000, this.clock::get)),
					List.of(this.listener), LimitOverrides.NONE),
			new QueuedTurns(this.policies, this.listener, this.sleeper));

	@Test
	void decidesByTheStoreWhileItDecides() {
		assertThat(admitted("local")).isEqualTo(10);
		assertThat(admitted("allow")).isEqualTo(10);
		assertThat(this.listener.events).hasSize(22).doesNotContain("nothing");
	}

	@Test
	void limitsByCountsOfThisInstanceByDefault() {
		this.policies.add(unchanged("default"));
		this.store.fail();
		assertThat(admitted("default")).isEqualTo(10);
		assertThat(this.listener.events).hasSize(11).doesNotContain("[]");
	}

	@Test
	void deniesByDefaultNobodyWhoKeepsToTheLimitWhileTheStoreComesAndGoes() {
		this.policies.add(unchanged("default"));
		assertThat(admitted("default")).isEqualTo(10);
		for (int call = 0; call < 100; call++) {
			this.clock.addAndGet(SECOND / 10);
			if (call % 7 < 4) {
				this.store.fail();
			}
			else {
				this.store.recover();
			}
			assertThat(this.limiter.acquire(Charge.of("default", "a")).allowed()).as("call %d", call).isTrue();
		}
	}

	@Test
	void allowsWithoutReportingLimits() {
		this.store.fail();
		for (CallStyle style : CallStyle.values()) {
			Decision decision = style.reserve(this.limiter, List.of(new Charge("allow", "a", 10))).decision();
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.limits()).isEmpty();
			assertThat(decision.storeTimeMicros()).isEqualTo(this.clock.get());
		}
		assertThat(this.listener.events).containsExactly("[]", "[]");
	}

	@ParameterizedTest
	@EnumSource
	void failsIfOnePolicyDenies(CallStyle style) {
		this.store.fail();
		List<Charge> charges = List.of(Charge.of("local", "a"), Charge.of("deny", "a"), Charge.of("allow", "a"));
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> style.reserve(this.limiter, charges));
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> style.peek(this.limiter, charges));
		assertThat(this.listener.events).containsExactly("nothing");
		assertThat(admitted("local")).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource
	void decidesLocallyByAShare(CallStyle style) {
		this.store.fail();
		List<Charge> charges = List.of(Charge.of("half", "a"));
		assertThat(IntStream.range(0, 12).filter((call) -> style.reserve(this.limiter, charges).decision().allowed()))
			.hasSize(5);
		Decision denied = style.peek(this.limiter, charges);
		assertThat(denied.retryAfterMicros()).isEqualTo(SECOND / 5);
		assertThat(denied.limits()).singleElement().extracting(LimitDecision::limit).hasToString("5/1s");
	}

	@Test
	void decidesLocallyOnAllOrNothing() {
		this.store.fail();
		this.limiter.acquire(new Charge("half", "a", 5));
		List<Charge> charges = List.of(Charge.of("local", "a"), Charge.of("half", "a"), Charge.of("allow", "a"));
		Decision denied = this.limiter.acquire(charges);
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.limits()).extracting(LimitDecision::policy).containsExactly("local", "half");
		assertThat(admitted("local")).isEqualTo(10);
	}

	@Test
	void movesNothingThatWasCountedLocallyToTheStore() {
		this.store.fail();
		assertThat(admitted("local")).isEqualTo(10);
		this.store.recover();
		assertThat(admitted("local")).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource
	void refundsAndAdjustsInTheStoreThatWasCharged(CallStyle style) {
		this.store.fail();
		Reservation refunded = style.reserve(this.limiter,
				List.of(new Charge("half", "a", 3), Charge.of("allow", "a")));
		Reservation adjusted = style.reserve(this.limiter, List.of(Charge.of("half", "a")));
		this.store.recover();
		style.adjust(this.limiter, refunded, 0);
		style.adjust(this.limiter, adjusted, 2);
		assertThat(remaining("half")).isEqualTo(10);
		assertThat(remaining("allow")).isEqualTo(10);
		this.store.fail();
		assertThat(remaining("half")).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource
	void refundsNothingOfACallThatWasLetThrough(CallStyle style) {
		this.store.fail();
		Reservation reservation = style.reserve(this.limiter, List.of(Charge.of("allow", "a")));
		style.adjust(this.limiter, reservation, 5);
		this.store.recover();
		assertThat(remaining("allow")).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource
	void leavesChargedWhatTheStoreFailsToRefund(CallStyle style) {
		Reservation reservation = style.reserve(this.limiter,
				List.of(Charge.of("allow", "a"), Charge.of("local", "a")));
		Reservation strict = style.reserve(this.limiter, List.of(Charge.of("allow", "a"), Charge.of("deny", "a")));
		this.store.fail();
		style.adjust(this.limiter, reservation, 0);
		assertThatExceptionOfType(RateLimitStoreException.class)
			.isThrownBy(() -> style.adjust(this.limiter, strict, 0));
		this.store.recover();
		assertThat(remaining("allow")).isEqualTo(8);
		assertThat(remaining("local")).isEqualTo(9);
	}

	@ParameterizedTest
	@EnumSource
	void neverDeniesByALimitInShadow(CallStyle style) {
		this.policies.add(policy("strict", OnStoreFailure.DENY, 100).withMode(EnforcementMode.SHADOW, List.of()));
		this.store.fail();
		assertThat(style.reserve(this.limiter, List.of(Charge.of("strict", "a"))).decision().allowed()).isTrue();
		assertThat(this.limiter.peek(List.of(Charge.of("strict", "a"))).allowed()).isTrue();
	}

	@ParameterizedTest
	@EnumSource(OnStoreFailure.class)
	void countsAPolicyInShadowLocally(OnStoreFailure mode) {
		this.policies.add(policy("shadow", mode, 100).withMode(EnforcementMode.SHADOW, List.of()));
		this.store.fail();
		Charge all = new Charge("shadow", "a", 10);
		assertThat(this.limiter.acquire(all).isShadowDeniedBy("shadow", "a")).isFalse();
		assertThat(this.limiter.acquire(all).isShadowDeniedBy("shadow", "a")).isTrue();
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> this.limiter.reset("shadow", "a"));
		assertThat(this.limiter.acquire(all).isShadowDeniedBy("shadow", "a")).isFalse();
	}

	@Test
	void countsAKeyInShadowLocallyNextToOneThatIsEnforced() {
		Policy some = policy("some", OnStoreFailure.ALLOW, 100);
		this.policies.add(some.withOptions(some.options().withEnforced(new EnforcedShare(50))));
		this.store.fail();
		List<Charge> charges = List.of(new Charge("some", "a", 10), new Charge("some", "c", 10));
		assertThat(this.limiter.acquire(charges).isShadowDeniedBy("some", "c")).isFalse();
		assertThat(this.limiter.acquire(charges)).satisfies((decision) -> assertThat(decision.limits()).isEmpty(),
				(decision) -> assertThat(decision.isShadowDeniedBy("some", "c")).isTrue());
	}

	@Test
	void resetsLocalCountsAndThrowsTheFailure() {
		this.store.fail();
		assertThat(admitted("local")).isEqualTo(10);
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> this.limiter.reset("local", "a"));
		assertThat(this.limiter.resetAsync("local", "a")).isCompletedExceptionally();
		assertThat(admitted("local")).isEqualTo(10);
	}

	@Test
	void admitsWhatCostsMoreThanTheShareWhenNothingIsSpentAndOwesTheRest() {
		this.store.fail();
		assertThat(this.limiter.acquire(new Charge("half", "a", 10)).allowed()).isTrue();
		assertThat(this.limiter.acquire(new Charge("half", "a", 10)).retryAfterMicros()).isEqualTo(2 * SECOND);
		this.clock.addAndGet(SECOND);
		assertThat(this.limiter.acquire(Charge.of("half", "a")).allowed()).isFalse();
		this.clock.addAndGet(SECOND);
		assertThat(this.limiter.acquire(new Charge("half", "a", 10)).allowed()).isTrue();
		assertThat(this.limiter.peek(List.of(new Charge("half", "b", 10))).allowed()).isTrue();
		assertThat(remaining("half", "b")).isEqualTo(5);
	}

	@Test
	void refusesLocallyWhatTheWholeLimitCanNeverAdmit() {
		this.store.fail();
		assertThatExceptionOfType(UnsatisfiableCostException.class)
			.isThrownBy(() -> this.limiter.acquire(new Charge("half", "a", 11)));
	}

	@Test
	void waitsForATurnOfThisInstance() {
		replace("local", "10/1s leaky-bucket", PolicyOptions.STANDARD.withMaxWait(Duration.ofSeconds(1)));
		this.store.fail();
		this.limiter.acquire(Charge.of("local", "a"));
		assertThat(this.limiter.acquire(Charge.of("local", "a")).waitMicros()).isEqualTo(SECOND / 5);
		assertThat(this.sleeper.slept).containsExactly(SECOND / 5);
	}

	@Test
	void chargesLocallyWhatThePolicyChargesForACost() {
		replace("local", "10/1s", PolicyOptions.STANDARD.withMaxCost(new MaxCost(2, true)));
		this.store.fail();
		this.limiter.acquire(new Charge("local", "a", 9));
		assertThat(remaining("local")).isEqualTo(3);
	}

	@Test
	void leavesTheReserveLocally() {
		replace("local", "10/1s", PolicyOptions.STANDARD.sharing("plain", 40));
		this.store.fail();
		assertThat(admitted("local")).isEqualTo(3);
		replace("local", "2/1s", PolicyOptions.STANDARD.sharing("other", 50));
		assertThat(admitted("local")).isOne();
	}

	@Test
	void dividesTheLimitByTheInstancesThatTheStoreKnows() {
		this.policies.replace(unchanged("local")
			.withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.LOCAL, LocalShare.AUTO)));
		this.store.fail();
		assertThat(this.limiter.acquire(Charge.of("local", "alone")).limits()).extracting(LimitDecision::limit)
			.containsExactly(Limit.parse("10/1s"));
		this.store.sharedBy(4);
		assertThat(this.limiter.acquire(Charge.of("local", "a")).limits()).extracting(LimitDecision::limit)
			.containsExactly(Limit.parse("2/1s"));
		this.store.sharedBy(100);
		assertThat(this.limiter.acquire(Charge.of("local", "b")).allowed()).isTrue();
		assertThat(this.limiter.acquire(Charge.of("local", "b")).allowed()).isFalse();
	}

	@Test
	void refusesAShareOutsideOneTo100Percent() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.LOCAL, 0))
			.withMessage("a local share is 1 to 100 percent, or auto, was 0");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.LOCAL, 101))
			.withMessage("a local share is 1 to 100 percent, or auto, was 101");
	}

	private void replace(String name, String limit, PolicyOptions options) {
		this.policies.replace(new Policy(name, List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)), List.of("global"))
			.withOptions(options.withStoreFailure(OnStoreFailure.LOCAL, 50)));
	}

	private long admitted(String policy) {
		return IntStream.range(0, 11).filter((call) -> this.limiter.acquire(Charge.of(policy, "a")).allowed()).count();
	}

	private long remaining(String policy) {
		return remaining(policy, "a");
	}

	private long remaining(String policy, String key) {
		return this.limiter.peek(List.of(new Charge(policy, key, 0))).limits().get(0).remaining();
	}

	private static Policy unchanged(String name) {
		return new Policy(name, List.of(Limit.parse("10/1s", Algorithm.TOKEN_BUCKET)), List.of("global"));
	}

	private static Policy policy(String name, OnStoreFailure mode, int share) {
		return unchanged(name).withOptions(PolicyOptions.STANDARD.withStoreFailure(mode, share));
	}

	private static final class RecordingListener implements RateLimitListener {

		private final List<String> events = new ArrayList<>();

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.events.add(decision.allowed() ? "allowed" : "denied");
		}

		@Override
		public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
				long elapsedNanos) {
			this.events.add((instead != null) ? instead.limits().toString() : "nothing");
		}

	}

}

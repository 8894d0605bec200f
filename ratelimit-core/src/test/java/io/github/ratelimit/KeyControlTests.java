package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.KeyControl;
import io.github.ratelimit.policy.KeyControl.Grant;
import io.github.ratelimit.policy.KeyControls;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of bans, limits and grants of single keys that are set at run time.
 */
class KeyControlTests {

	private static final List<Charge> ONE = List.of(Charge.of("api", "a"));

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final MemoryRateLimitStore store = new MemoryRateLimitStore(1000, this.clock::get);

	private final Policies policies = new Policies(
			List.of(new Policy("api", List.of(limit("2/1h")), List.of("principal")),
					new Policy("site", List.of(limit("5/1h")), List.of("principal"))));

	private final List<RefusedCallerException> refused = new ArrayList<>();

	private final RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of(new RateLimitListener() {

		@Override
		public void refused(RefusedCallerException refusal) {
			KeyControlTests.this.refused.add(refusal);
		}

	}));

	@ParameterizedTest
	@EnumSource
	void refusesABannedKeyUntilTheBanIsLifted(CallStyle style) {
		style.reserve(this.limiter, ONE);
		control("a", KeyControl.BAN);
		assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> style.reserve(this.limiter, ONE))
			.satisfies((ex) -> assertThat(this.refused).containsExactly(ex),
					(ex) -> assertThat(ex.isBanned()).isTrue());
		assertThat(isAllowed(style, "b", 1)).isTrue();
		this.policies.control(KeyControls.NONE);
		assertThat(isAllowed(style, "a", 1)).isTrue();
	}

	@Test
	void findsEveryKeyAmongMany() {
		for (int count : new int[] { 1, 3, 4, 100, 10_000 }) {
			Map<Subject, KeyControl> byKey = IntStream.range(0, count)
				.boxed()
				.collect(Collectors.toMap((key) -> new Subject("api", "client-ip:192.0.2." + key),
						(key) -> KeyControl.BAN));
			KeyControls controls = new KeyControls(byKey);
			assertThat(byKey.keySet()).allMatch((subject) -> controls.of(subject.policy(), subject.key()).banned());
			assertThat(byKey.keySet()).noneMatch((subject) -> controls.of("other", subject.key()).banned());
			assertThat(IntStream.range(count, 3 * count))
				.noneMatch((key) -> controls.of("api", "client-ip:192.0.2." + key).banned());
		}
	}

	@Test
	void refusesABannedKeyWhoseChargeWasResolvedBefore() {
		Charge reused = Charge.of("api", "a");
		this.limiter.acquire(reused);
		this.limiter.acquire(reused);
		control("a", KeyControl.BAN);
		assertThatExceptionOfType(BlockedCallerException.class).isThrownBy(() -> this.limiter.acquire(reused));
	}

	@ParameterizedTest
	@EnumSource
	void limitsAKeyByItsOwnLimitsOnTheSameCount(CallStyle style) {
		assertThat(isAllowed(style, "a", 2)).isTrue();
		control("a", new KeyControl(false, List.of(limit("10/1h")), null));
		assertThat(isAllowed(style, "a", 8)).isTrue();
		assertThat(isAllowed(style, "a", 1)).isFalse();
		assertThat(isAllowed(style, "b", 2)).isTrue();
		assertThat(isAllowed(style, "b", 1)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void admitsExactlyWhatIsGrantedBeyondTheLimits(CallStyle style) {
		control("a", granted(3));
		for (int call = 0; call < 5; call++) {
			assertThat(isAllowed(style, "a", 1)).as("call %d", call).isTrue();
		}
		assertThat(isAllowed(style, "a", 1)).isFalse();
		assertThat(isAllowed(style, "b", 2)).isTrue();
		assertThat(isAllowed(style, "b", 1)).isFalse();
	}

	@Test
	void grantsCallsThatDoNotBlock() {
		control("a", granted(1));
		for (int call = 0; call < 3; call++) {
			assertThat(this.limiter.acquireAsync(ONE).toCompletableFuture().join().allowed()).as("call %d", call)
				.isTrue();
		}
		assertThat(this.limiter.acquireAsync(ONE).toCompletableFuture().join().allowed()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void spendsNothingOfAGrantWhileTheLimitsHaveRoom(CallStyle style) {
		control("a", granted(1));
		assertThat(isAllowed(style, "a", 2)).isTrue();
		this.clock.addAndGet(3_600_000_000L);
		assertThat(isAllowed(style, "a", 2)).isTrue();
		assertThat(isAllowed(style, "a", 1)).isTrue();
		assertThat(isAllowed(style, "a", 1)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void refundsAGrantedCallToItsGrant(CallStyle style) {
		control("a", granted(1));
		assertThat(isAllowed(style, "a", 2)).isTrue();
		Reservation granted = style.reserve(this.limiter, ONE);
		style.adjust(this.limiter, granted, 0);
		assertThat(isAllowed(style, "a", 1)).isTrue();
		assertThat(isAllowed(style, "a", 1)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void chargesTheOtherPoliciesOfAGrantedCall(CallStyle style) {
		control("a", granted(10));
		List<Charge> both = List.of(Charge.of("api", "a"), Charge.of("site", "a"));
		for (int call = 0; call < 5; call++) {
			assertThat(style.reserve(this.limiter, both).decision().allowed()).as("call %d", call).isTrue();
		}
		assertThat(style.reserve(this.limiter, both).decision().allowed()).isFalse();
		for (int call = 0; call < 7; call++) {
			assertThat(isAllowed(style, "a", 1)).as("call %d of what is left of the grant", call).isTrue();
		}
		assertThat(isAllowed(style, "a", 1)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void grantsTheKeyWithoutRoomWhereACallChargesTwo(CallStyle style) {
		control("a", granted(1));
		List<Charge> both = List.of(Charge.of("api", "a"), Charge.of("api", "b"));
		assertThat(isAllowed(style, "a", 2)).isTrue();
		assertThat(style.reserve(this.limiter, both).decision().allowed()).isTrue();
		assertThat(style.reserve(this.limiter, both).decision().allowed()).isFalse();
		assertThat(isAllowed(style, "b", 1)).isTrue();
		assertThat(isAllowed(style, "b", 1)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void deniesACostAboveTheGrantAsWithoutIt(CallStyle style) {
		control("a", granted(1));
		assertThat(isAllowed(style, "a", 1)).isTrue();
		assertThat(isAllowed(style, "a", 2)).isFalse();
		assertThat(isAllowed(style, "a", 1)).isTrue();
		assertThat(isAllowed(style, "a", 1)).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void takesTheSumOfAllChargesOfAKeyFromItsGrant(CallStyle style) {
		control("a", granted(3));
		assertThat(isAllowed(style, "a", 2)).isTrue();
		List<Charge> two = List.of(Charge.of("api", "a"), Charge.of("api", "a"));
		Reservation granted = style.reserve(this.limiter, two);
		assertThat(granted.decision().allowed()).isTrue();
		assertThat(granted.decision().limits()).hasSize(1);
		assertThat(this.limiter.grantLeft("api", "a")).hasValue(1);
		assertThat(style.reserve(this.limiter, two).decision().allowed()).isFalse();
		this.limiter.refund(granted.perCharge().get(0));
		assertThat(this.limiter.grantLeft("api", "a")).hasValue(2);
		this.limiter.refund(granted);
		assertThat(this.limiter.grantLeft("api", "a")).hasValue(3);
	}

	@ParameterizedTest
	@EnumSource
	void deniesASumAboveTheGrantAsWithoutIt(CallStyle style) {
		control("a", granted(1));
		assertThat(isAllowed(style, "a", 1)).isTrue();
		assertThat(style.reserve(this.limiter, List.of(Charge.of("api", "a"), Charge.of("api", "a"))).decision())
			.satisfies((denied) -> assertThat(denied.allowed()).isFalse());
		assertThat(this.limiter.grantLeft("api", "a")).hasValue(1);
	}

	@ParameterizedTest
	@EnumSource
	void takesNothingFromAGrantForAChargeThatIsOff(CallStyle style) {
		this.policies.replace(this.policies.get("api")
			.withPlans(Map.of("internal", new Plan(List.of(limit("1/1h")), EnforcementMode.OFF))));
		control("a", granted(3));
		assertThat(isAllowed(style, "a", 2)).isTrue();
		Reservation granted = style.reserve(this.limiter,
				List.of(new Charge("api", "a", 2).withPlan("internal"), Charge.of("api", "a")));
		assertThat(granted.decision().allowed()).isTrue();
		assertThat(this.limiter.grantLeft("api", "a")).hasValue(2);
		this.limiter.refund(granted);
		assertThat(this.limiter.grantLeft("api", "a")).hasValue(3);
	}

	@Test
	void showsWhatIsLeftOfAGrant() {
		assertThat(this.limiter.grantLeft("api", "a")).isEmpty();
		control("a", granted(10));
		assertThat(isAllowed(CallStyle.BLOCKING, "a", 2)).isTrue();
		assertThat(this.limiter.grantLeft("api", "a")).hasValue(10);
		assertThat(isAllowed(CallStyle.BLOCKING, "a", 1)).isTrue();
		assertThat(this.limiter.grantLeft("api", "a")).hasValue(9);
		assertThat(this.limiter.grantLeft("api", "b")).isEmpty();
	}

	private void control(String key, KeyControl control) {
		this.policies.control(new KeyControls(Map.of(new Subject("api", key), control)));
	}

	private boolean isAllowed(CallStyle style, String key, long cost) {
		return style.reserve(this.limiter, List.of(new Charge("api", key, cost))).decision().allowed();
	}

	private static KeyControl granted(int permits) {
		return new KeyControl(false, List.of(),
				new Grant("grant:1", Limit.parse(permits + "/30d", Algorithm.FIXED_WINDOW)));
	}

	private static Limit limit(String text) {
		return Limit.parse(text, Algorithm.TOKEN_BUCKET);
	}

}

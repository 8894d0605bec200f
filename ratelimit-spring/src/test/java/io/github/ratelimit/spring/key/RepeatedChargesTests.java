package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.Memo;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.PolicyKey.CallerConditions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of charges by a policy of a key that calls again.
 */
class RepeatedChargesTests {

	private static final CallContext CALL = new CallContext(Caller.NONE, Map.of());

	@Nullable String key;

	@Nullable String plan;

	@Nullable Long permits;

	private final PolicyKey charges = new PolicyKey(
			new Policy("api", List.of(Limit.parse("5/1m", Algorithm.TOKEN_BUCKET)), List.of("global")),
			(call) -> this.key, (policy, key, call) -> this.plan, (policy, key, call) -> this.permits,
			new CallerConditions((call) -> false, (call) -> false, (call) -> false), () -> new RateLimitListener() {
			}, (call) -> {
			}, new Memo<>(256), List.of(), false, false);

	@Test
	void returnsTheSameChargeOfAKeyFromTheSecondCallOn() {
		Charge first = charge("alice", 2, "gold");
		Charge charge = charge("alice", 2, "gold");
		assertThat(charge).isEqualTo(new Charge("api", "alice", 2).withPlan("gold"))
			.isSameAs(charge("alice", 2, "gold"))
			.isNotSameAs(first);
	}

	@Test
	void tellsCostsAndPlansApart() {
		Charge charge = charge("alice", 1, null);
		assertThat(charge("alice", 2, null)).isEqualTo(new Charge("api", "alice", 2));
		assertThat(charge("alice", 2, "gold")).isEqualTo(new Charge("api", "alice", 2).withPlan("gold"));
		assertThat(charge("alice", 1, null)).isEqualTo(charge);
	}

	@Test
	void tellsPermitsApart() {
		Charge charge = charge("alice", 1, null);
		this.permits = 30L;
		assertThat(charge("alice", 1, null)).isEqualTo(charge.withPermits(30L)).isNotEqualTo(charge);
		this.permits = 40L;
		assertThat(charge("alice", 1, null)).isEqualTo(charge.withPermits(40L));
	}

	@Test
	void tellsKeysOfOneSlotApart() {
		assertThat("Aa").hasSameHashCodeAs("BB");
		Charge first = charge("Aa", 1, null);
		assertThat(charge("BB", 1, null)).isEqualTo(new Charge("api", "BB", 1));
		assertThat(charge("Aa", 1, null)).isEqualTo(first).isNotSameAs(first);
	}

	@Test
	void returnsTheChargeOfTheKeyWhileOthersPassBy() {
		charge("alice", 1, null);
		Charge charge = charge("alice", 1, null);
		assertThat(IntStream.range(0, 10_000).filter((call) -> {
			charge("caller-" + call, 1, null);
			return charge.equals(charge("alice", 1, null));
		})).hasSize(10_000);
	}

	@Test
	void keepsNoLongKeys() {
		String longest = "a".repeat(128);
		assertThat(charge(longest, 1, null)).isEqualTo(new Charge("api", longest, 1));
		assertThat(charge(longest, 1, null)).isSameAs(charge(longest, 1, null));
		String longer = longest + "a";
		assertThat(charge(longer, 1, null)).isEqualTo(new Charge("api", longer, 1));
		assertThat(charge(longer, 1, null)).isNotSameAs(charge(longer, 1, null));
	}

	private Charge charge(String key, long cost, @Nullable String plan) {
		this.key = key;
		this.plan = plan;
		return Objects.requireNonNull(this.charges.charge(CALL, (call) -> cost));
	}

}

package io.github.ratelimit;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of policies that are enforced for a share of their keys.
 */
class EnforcedShareOfKeysTests {

	/** The key at the place 15 of a hundred. */
	private static final String ENFORCED = "a";

	/** The key at the place 50. */
	private static final String TRIED = "c";

	private final Policies policies = new Policies(List.of(policy("some", "1/1h"), policy("both", "2/1h", "1/1d"),
			policy("all", "1/1h").withOptions(policy("all", "1/1h").options().withEnforced(EnforcedShare.ALL)),
			policy("planned", "1/1h").withPlans(
					Map.of("gold", plan(EnforcementMode.ENFORCE, "2/1h"), "free", plan(EnforcementMode.OFF, "1/1h"))),
			policy("tried", "5/1h").withMode(EnforcementMode.ENFORCE, limits("1/1h"))));

	private final RateLimiter limiter = limiter(this.policies);

	@ParameterizedTest
	@EnumSource
	void deniesTheKeysOfTheShareAlone(CallStyle style) {
		assertThat(allowed(style, "some", ENFORCED)).containsExactly(true, false, false);
		assertThat(allowed(style, "some", TRIED)).containsOnly(true);
		Decision decision = style.reserve(this.limiter, List.of(Charge.of("some", TRIED))).decision();
		assertThat(decision.limits()).isEmpty();
		assertThat(decision.isShadowDeniedBy("some", TRIED)).isTrue();
	}

	@Test
	void hasSeveralLimitsOnOneSide() {
		assertThat(this.limiter.acquire(Charge.of("both", ENFORCED)).limits()).hasSize(2);
		assertThat(this.limiter.acquire(Charge.of("both", TRIED)).shadows()).hasSize(2);
		assertThat(this.limiter.acquire(Charge.of("both", ENFORCED)).allowed()).isFalse();
		assertThat(this.limiter.acquire(Charge.of("both", TRIED)).allowed()).isTrue();
	}

	@Test
	void decidesAnEnforcedPolicyNextToAKeyInShadow() {
		List<Charge> charges = List.of(Charge.of("all", TRIED), Charge.of("some", TRIED));
		assertThat(this.limiter.acquire(charges).allowed()).isTrue();
		Decision denied = this.limiter.acquire(charges);
		assertThat(denied.isDeniedBy("all", TRIED)).isTrue();
		assertThat(denied.isDeniedBy("some", TRIED)).isFalse();
	}

	@Test
	void decidesTwoKeysOfOnePolicyOnTheirSides() {
		List<Charge> charges = List.of(Charge.of("some", ENFORCED), Charge.of("some", TRIED));
		this.limiter.acquire(Charge.of("some", TRIED));
		Decision decision = this.limiter.acquire(charges);
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.isShadowDeniedBy("some", TRIED)).isTrue();
		assertThat(this.limiter.acquire(charges).isDeniedBy("some", ENFORCED)).isTrue();
	}

	@Test
	void putsPlansOfOtherKeysInShadowUnlessTheyAreOff() {
		Charge gold = Charge.of("planned", TRIED).withPlan("gold");
		assertThat(this.limiter.acquire(gold).shadows()).singleElement()
			.satisfies((limit) -> assertThat(limit.limit()).hasToString("2/1h"));
		assertThat(this.limiter.acquire(Charge.of("planned", ENFORCED).withPlan("gold")).limits()).hasSize(1);
		assertThat(this.limiter.acquire(Charge.of("planned", TRIED).withPlan("free"))).isEqualTo(Decision.UNLIMITED);
	}

	@Test
	void triesCandidatesForAllKeys() {
		assertThat(this.limiter.acquire(Charge.of("tried", ENFORCED)).shadows()).hasSize(1);
		assertThat(this.limiter.acquire(Charge.of("tried", TRIED)).shadows()).hasSize(2);
	}

	@Test
	void putsLimitsOfSingleCallersInShadowToo() {
		LimitOverrides overrides = (policy, key) -> limits("2/1h");
		RateLimiter overridden = new RateLimiter(this.policies, new MemoryRateLimitStore(10),
				new MemoryRateLimitStore(10), List.of(), overrides);
		assertThat(overridden.acquire(Charge.of("some", TRIED)).shadows()).singleElement()
			.satisfies((limit) -> assertThat(limit.limit()).hasToString("2/1h"));
		assertThat(overridden.acquire(Charge.of("some", ENFORCED)).limits()).hasSize(1);
	}

	@Test
	void refusesNoCostThatALimitOfAnotherKeyNeverAdmits() {
		assertThat(this.limiter.acquire(new Charge("some", TRIED, 5)).allowed()).isTrue();
	}

	@Test
	void keepsCountsWhenTheShareGrows() {
		this.limiter.acquire(Charge.of("some", TRIED));
		this.policies.replace(withShare(this.policies.get("some"), 51));
		assertThat(this.limiter.acquire(Charge.of("some", TRIED)).allowed()).isFalse();
	}

	@Test
	void isInShadowWithoutAnyKey() {
		Policy none = withShare(this.policies.get("planned"), 0);
		assertThat(none.isEnforced()).isFalse();
		assertThat(none.standard().mode()).isEqualTo(EnforcementMode.SHADOW);
		assertThat(none.plans()).hasEntrySatisfying("gold",
				(plan) -> assertThat(plan.mode()).isEqualTo(EnforcementMode.SHADOW));
		assertThat(none.plans()).hasEntrySatisfying("free",
				(plan) -> assertThat(plan.mode()).isEqualTo(EnforcementMode.OFF));
		assertThat(none.effectiveLimits(null))
			.isEqualTo(policy("planned", "1/1h").withMode(EnforcementMode.SHADOW, List.of()).effectiveLimits(null));
		assertThat(withShare(none, 20)).isEqualTo(this.policies.get("planned"));
	}

	@Test
	void isTheSamePolicyForAllKeysByDefault() {
		Policy policy = new Policy("p", limits("1/1h"), List.of(Policy.EVERYONE));
		assertThat(policy.forKey(ENFORCED)).isSameAs(policy);
		assertThat(policy.forKey(TRIED)).isSameAs(policy);
		assertThat(policy.options().enforced()).isEqualTo(EnforcedShare.ALL);
	}

	private List<Boolean> allowed(CallStyle style, String policy, String key) {
		List<Charge> charges = List.of(Charge.of(policy, key));
		return Stream.generate(() -> style.reserve(this.limiter, charges).decision().allowed()).limit(3).toList();
	}

	private static RateLimiter limiter(Policies policies) {
		return new RateLimiter(policies, new MemoryRateLimitStore(100), List.of());
	}

	private static Policy policy(String name, String... limits) {
		return withShare(new Policy(name, limits(limits), List.of(Policy.EVERYONE)), 20);
	}

	private static Policy withShare(Policy policy, int percent) {
		return policy.withOptions(policy.options().withEnforced(new EnforcedShare(percent)));
	}

	private static Plan plan(EnforcementMode mode, String... limits) {
		return new Plan(limits(limits), mode);
	}

	private static List<Limit> limits(String... texts) {
		return Stream.of(texts).map((text) -> Limit.parse(text, Algorithm.FIXED_WINDOW)).toList();
	}

}

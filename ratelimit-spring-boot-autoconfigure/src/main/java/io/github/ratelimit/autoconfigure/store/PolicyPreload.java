package io.github.ratelimit.autoconfigure.store;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.RateLimitStore;

/**
 * A call of each policy and plan, which charges nothing and loads the scripts that such
 * calls run.
 */
record PolicyPreload(Policies policies) {

	private static final String KEY = "preload";

	void callEach(RateLimitStore preloader) {
		RateLimiter limiter = new RateLimiter(this.policies, preloader, List.of());
		for (Policy policy : this.policies.all()) {
			charges(policy).forEach((charge) -> limiter.peek(List.of(charge)));
		}
	}

	private static List<Charge> charges(Policy policy) {
		Charge standard = Charge.of(policy.name(), KEY);
		List<Charge> charges = new ArrayList<>(List.of(standard));
		policy.plans().keySet().forEach((plan) -> charges.add(standard.withPlan(plan)));
		return charges;
	}

}

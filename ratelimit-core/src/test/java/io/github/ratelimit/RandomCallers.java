package io.github.ratelimit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.Policy;
import org.jspecify.annotations.Nullable;

/**
 * Callers that have plans and permits of their own, which change. Few calls tell others
 * than those before.
 */
final class RandomCallers {

	private final Random random;

	private final Map<List<String>, String> plans = new HashMap<>();

	private final Map<List<String>, Long> permits = new HashMap<>();

	RandomCallers(Random random) {
		this.random = random;
	}

	void changePlan(Policy policy, String key) {
		this.plans.put(caller(policy, key), anyPlan());
	}

	Charge charging(Policy policy, String key, long cost) {
		return new Charge(policy.name(), key, cost).withPlan(plan(policy, key)).withPermits(permits(policy, key));
	}

	/** Returns the plan of a caller, or sometimes another for this charge alone. */
	private @Nullable String plan(Policy policy, String key) {
		return (this.random.nextInt(8) == 0) ? anyPlan() : this.plans.get(caller(policy, key));
	}

	private String anyPlan() {
		return "plan-" + this.random.nextInt(3);
	}

	/**
	 * Returns the permits of a caller, sometimes more than the ceiling, or none for this
	 * charge alone. A policy that takes none ignores them.
	 */
	private @Nullable Long permits(Policy policy, String key) {
		OwnPermits own = policy.callers().permits();
		if (this.random.nextInt(8) == 0) {
			return null;
		}
		List<String> caller = caller(policy, key);
		if (this.random.nextInt(8) == 0 || !this.permits.containsKey(caller)) {
			this.permits.put(caller, 1 + this.random.nextLong((own != null) ? own.most() + 3 : 100));
		}
		return this.permits.get(caller);
	}

	private static List<String> caller(Policy policy, String key) {
		return List.of(policy.name(), key);
	}

}

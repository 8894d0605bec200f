package io.github.ratelimit.spring.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The endpoint {@code /actuator/ratelimits}, which shows the policies and the store in
 * use, but no callers.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

	private final Policies policies;

	private final RateLimitStore store;

	/**
	 * Creates an endpoint.
	 * @param policies the policies to show
	 * @param store the store to name
	 */
	public RateLimitsEndpoint(Policies policies, RateLimitStore store) {
		this.policies = policies;
		this.store = store;
	}

	@ReadOperation
	Report report() {
		Map<String, PolicyReport> policies = new LinkedHashMap<>();
		this.policies.all().forEach((policy) -> policies.put(policy.name(), PolicyReport.of(policy)));
		return new Report(this.store.name(), policies);
	}

	record Report(String store, Map<String, PolicyReport> policies) {

	}

	record PolicyReport(List<LimitReport> limits, List<String> key, String mode, List<LimitReport> candidate,
			Map<String, PlanReport> plans, String onStoreFailure) {

		static PolicyReport of(Policy policy) {
			Map<String, PlanReport> plans = new LinkedHashMap<>();
			policy.plans().forEach((name, plan) -> plans.put(name, PlanReport.of(plan)));
			Plan standard = policy.standard();
			return new PolicyReport(LimitReport.of(standard.limits()), policy.keys(), lowerCase(standard.mode()),
					LimitReport.of(standard.candidates()), plans, lowerCase(policy.options().onStoreFailure()));
		}

	}

	record PlanReport(List<LimitReport> limits, String mode) {

		static PlanReport of(Plan plan) {
			return new PlanReport(LimitReport.of(plan.limits()), lowerCase(plan.mode()));
		}

	}

	record LimitReport(String rate, String algorithm, long burst) {

		static List<LimitReport> of(List<Limit> limits) {
			return limits.stream().map(LimitReport::of).toList();
		}

		static LimitReport of(Limit limit) {
			return new LimitReport(limit.rate().toString(), limit.algorithm().id(), limit.burst());
		}

	}

	private static String lowerCase(Enum<?> mode) {
		return mode.name().toLowerCase(Locale.ROOT);
	}

}

package io.github.ratelimit.spring.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code /actuator/ratelimits}, which shows the policies and the store in
 * use, and what is left of the limits of a key. It charges nothing.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

	private final Policies policies;

	private final RateLimitStore store;

	private final KeyLookup lookup;

	/**
	 * Creates an endpoint.
	 * @param policies the policies to show
	 * @param store the store to name
	 * @param limiter the limiter that looks keys up
	 * @param keys the resolvers, which know how keys are written
	 * @param controls the controls of operators
	 */
	public RateLimitsEndpoint(Policies policies, RateLimitStore store, RateLimiter limiter, KeyResolvers keys,
			Controls controls) {
		this.policies = policies;
		this.store = store;
		this.lookup = new KeyLookup(limiter, keys, controls);
	}

	@ReadOperation
	Report report() {
		Map<String, PolicyReport> policies = new LinkedHashMap<>();
		this.policies.all().forEach((policy) -> policies.put(policy.name(), PolicyReport.of(policy)));
		return new Report(this.store.name(), policies);
	}

	/**
	 * Shows a policy, or looks a key of it up.
	 * @param key the key, such as {@code client-ip:192.0.2.1}
	 * @param plan the plan of the caller, which only calls know
	 */
	@ReadOperation
	WebEndpointResponse<Object> look(@Selector String policy, @Nullable String key, @Nullable String plan) {
		Policy known = this.policies.all().stream().filter((each) -> each.name().equals(policy)).findAny().orElse(null);
		if (known == null) {
			return problem(WebEndpointResponse.STATUS_NOT_FOUND, "there is no policy of this name");
		}
		try {
			return new WebEndpointResponse<>((key != null) ? this.lookup.of(known, key, plan) : PolicyReport.of(known));
		}
		catch (IllegalArgumentException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
		catch (RateLimitStoreException ex) {
			return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
					"the store does not reply: " + ex.getKind().id());
		}
	}

	private static WebEndpointResponse<Object> problem(int status, String detail) {
		return new WebEndpointResponse<>(Map.of("detail", detail), status);
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

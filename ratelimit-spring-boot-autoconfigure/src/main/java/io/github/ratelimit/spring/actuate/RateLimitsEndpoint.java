package io.github.ratelimit.spring.actuate;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.actuate.PolicyUses.RuleReport;
import io.github.ratelimit.spring.control.LastReload.Reload;
import io.github.ratelimit.spring.finding.Finding;
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

	private final Diagnostics diagnostics;

	private final PolicyUses uses;

	/**
	 * Creates an endpoint.
	 * @param policies the policies to show
	 * @param store the store to name
	 * @param lookup the lookup of keys
	 * @param uses the places that use policies
	 * @param diagnostics the choice of the store, and likely mistakes
	 */
	public RateLimitsEndpoint(Policies policies, RateLimitStore store, KeyLookup lookup, PolicyUses uses,
			Diagnostics diagnostics) {
		this.policies = policies;
		this.store = store;
		this.lookup = lookup;
		this.uses = uses;
		this.diagnostics = diagnostics;
	}

	@ReadOperation
	Report report() {
		Map<String, PolicyReport> policies = new LinkedHashMap<>();
		Map<String, ? extends Collection<String>> uses = this.uses.others().get();
		this.policies.all().forEach((policy) -> policies.put(policy.name(), PolicyReport.of(policy, uses)));
		return new Report(this.store.name(), this.diagnostics.storeReason(), this.diagnostics.connectionFactory(),
				lowerCase(this.store.breakerState()), policies, this.uses.methods().get(), this.uses.rules().get(),
				this.uses.reload().get(), this.diagnostics.findings().get().stream().map(FindingReport::of).toList());
	}

	/**
	 * Shows a policy, or looks a key of it up.
	 * @param key the key, such as {@code client-ip:192.0.2.1}
	 * @param plan the plan of the caller, which only calls know
	 */
	@ReadOperation
	WebEndpointResponse<Object> look(@Selector String policy, @Nullable String key, @Nullable String plan) {
		return of(policy, (known) -> (key != null) ? this.lookup.of(known, key, plan)
				: PolicyReport.of(known, this.uses.others().get()));
	}

	/**
	 * Shows more of a policy.
	 * @param view the name of the view, which is {@code top} for the keys that are denied
	 * most and spend most
	 */
	@ReadOperation
	WebEndpointResponse<Object> view(@Selector String policy, @Selector String view) {
		return view.equals("top") ? of(policy, this.lookup::top)
				: problem(WebEndpointResponse.STATUS_NOT_FOUND, "there is no such view; there is top");
	}

	private WebEndpointResponse<Object> of(String policy, Function<Policy, Object> view) {
		Policy known = this.policies.all().stream().filter((each) -> each.name().equals(policy)).findAny().orElse(null);
		if (known == null) {
			return problem(WebEndpointResponse.STATUS_NOT_FOUND, "there is no policy of this name");
		}
		try {
			return new WebEndpointResponse<>(view.apply(known));
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

	/**
	 * The policies of an application and what uses them.
	 *
	 * @param store the name of the store
	 * @param storeReason why this store was chosen
	 * @param connectionFactory the {@code RedisConnectionFactory} bean in use, with Redis
	 * @param breaker the state of the circuit breaker
	 * @param policies the policies by name
	 * @param methods the limited methods by the name of the policy
	 * @param rules the rules in their order
	 * @param reload the outcome of the last reload of the configuration, if there was one
	 * @param findings likely mistakes
	 */
	@SuppressWarnings("checkstyle:RecordComponentNumber") // one for each member of the
															// JSON
	record Report(String store, String storeReason, @Nullable String connectionFactory, String breaker,
			Map<String, PolicyReport> policies, Map<String, ? extends Collection<String>> methods,
			List<RuleReport> rules, @Nullable Reload reload, List<FindingReport> findings) {

	}

	record FindingReport(String id, String subject, String message) {

		static FindingReport of(Finding finding) {
			return new FindingReport(finding.kind().id(), finding.subject(), finding.message());
		}

	}

	record PolicyReport(List<LimitReport> limits, List<String> key, String mode, List<LimitReport> candidate,
			Map<String, PlanReport> plans, String onStoreFailure, Collection<String> uses) {

		static PolicyReport of(Policy policy, Map<String, ? extends Collection<String>> uses) {
			Map<String, PlanReport> plans = new LinkedHashMap<>();
			policy.plans().forEach((name, plan) -> plans.put(name, PlanReport.of(plan)));
			Plan standard = policy.standard();
			return new PolicyReport(LimitReport.of(standard.limits()), policy.keys(), lowerCase(standard.mode()),
					LimitReport.of(standard.candidates()), plans, lowerCase(policy.options().onStoreFailure()),
					uses.containsKey(policy.name()) ? uses.get(policy.name()) : List.of());
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
			return new LimitReport(limit.toString(), limit.algorithm().id(), limit.burst());
		}

	}

	private static String lowerCase(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}

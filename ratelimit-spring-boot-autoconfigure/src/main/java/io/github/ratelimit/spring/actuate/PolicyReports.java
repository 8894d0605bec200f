package io.github.ratelimit.spring.actuate;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.Penalty;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import io.github.ratelimit.store.RateLimitStore;
import org.jspecify.annotations.Nullable;

/**
 * The policies in effect as the endpoint shows them, with what differs from their
 * configuration.
 */
public final class PolicyReports {

	private static final String PROPERTY = "ratelimit.policies.";

	private final Policies policies;

	private final PolicyUses uses;

	private final Controls controls;

	private final Supplier<Map<String, Penalty>> penalties;

	/**
	 * Creates reports.
	 * @param policies the policies in effect
	 * @param uses the places that use policies
	 * @param controls the controls, which may change policies
	 * @param penalties supplies the penalties by the names of policies
	 */
	public PolicyReports(Policies policies, PolicyUses uses, Controls controls,
			Supplier<Map<String, Penalty>> penalties) {
		this.policies = policies;
		this.uses = uses;
		this.controls = controls;
		this.penalties = penalties;
	}

	/** Returns the policies. */
	Collection<Policy> policies() {
		return this.policies.all();
	}

	/** Returns the number of instances by which a policy divides its limits, if any. */
	@Nullable Integer instances(RateLimitStore store) {
		return this.policies.haveAutoShares() ? store.instances() : null;
	}

	/** Returns the policy of a name. */
	Optional<Policy> find(String name) {
		return this.policies.all().stream().filter((policy) -> policy.name().equals(name)).findAny();
	}

	/** Returns the reports of all policies by their names. */
	Map<String, PolicyReport> all() {
		Map<String, PolicyReport> reports = new LinkedHashMap<>();
		policies().forEach((policy) -> reports.put(policy.name(), of(policy)));
		return reports;
	}

	/** Returns the report of a policy. */
	PolicyReport of(Policy policy) {
		Map<String, PlanReport> plans = new LinkedHashMap<>();
		policy.plans().forEach((name, plan) -> plans.put(name, PlanReport.of(plan)));
		Plan standard = policy.standard();
		return new PolicyReport(LimitReport.of(standard.limits()), policy.keys(), lowerCase(standard.mode()),
				policy.options().enforced().toString(), LimitReport.of(standard.candidates()), plans,
				policy.callers().permits(), lowerCase(policy.options().onStoreFailure()),
				policy.options().localShare().toString(), PenaltyReport.of(this.penalties.get().get(policy.name())),
				uses(policy), changeOf(policy), isRemoved(policy));
	}

	private Collection<String> uses(Policy policy) {
		Map<String, ? extends Collection<String>> uses = this.uses.others().get();
		return uses.containsKey(policy.name()) ? uses.get(policy.name()) : List.of();
	}

	private @Nullable ChangeReport changeOf(Policy policy) {
		Policy configured = this.controls.changed().get(policy.name());
		return (configured == null) ? null : this.controls.active()
			.stream()
			.filter((active) -> active.control() instanceof Change change && change.policy().equals(policy.name()))
			.findAny()
			.map((active) -> ChangeReport.of(ControlReport.of(active).withoutName(), configured))
			.orElse(null);
	}

	/** Returns whether the configuration no longer has a policy, until the restart. */
	private boolean isRemoved(Policy policy) {
		Reload reload = this.uses.reload().get();
		return reload != null && reload.needRestart().contains(PROPERTY + policy.name());
	}

	/** Returns the word for a constant. */
	static String lowerCase(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * A policy.
	 *
	 * @param limits the limits in effect
	 * @param key the words for the key
	 * @param mode the mode in effect
	 * @param enforce the share of keys for which it is, while other keys are in shadow
	 * @param candidate the limits in shadow
	 * @param plans the plans by name
	 * @param permits the source and the ceiling of the permits that calls tell, or
	 * {@code null}
	 * @param onStoreFailure what happens if the store fails
	 * @param localShare the percentage of each limit that this instance then admits on
	 * its own, or {@code auto}
	 * @param penalty the bans of keys that are denied often, or {@code null}
	 * @param uses the places that use it, other than rules and methods
	 * @param change the control that changes the policy, or {@code null}
	 * @param removed whether the configuration no longer has it
	 */
	@SuppressWarnings("checkstyle:RecordComponentNumber") // one per member of the JSON
	public record PolicyReport(List<LimitReport> limits, List<String> key, String mode, String enforce,
			List<LimitReport> candidate, Map<String, PlanReport> plans, @Nullable OwnPermits permits,
			String onStoreFailure, String localShare, @Nullable PenaltyReport penalty, Collection<String> uses,
			@Nullable ChangeReport change, boolean removed) {

	}

	/**
	 * A change of a policy by an operator.
	 *
	 * @param control the control, without the name of the operator, as the endpoint may
	 * be open to the public
	 * @param limits the limits as they are configured
	 * @param mode the mode as it is configured
	 * @param enforce the share of keys as it is configured
	 * @param onStoreFailure what is configured to happen if the store fails
	 */
	public record ChangeReport(ControlReport control, List<LimitReport> limits, String mode, String enforce,
			String onStoreFailure) {

		static ChangeReport of(ControlReport control, Policy configured) {
			return new ChangeReport(control, LimitReport.of(configured.standard().limits()),
					lowerCase(configured.standard().mode()), configured.options().enforced().toString(),
					lowerCase(configured.options().onStoreFailure()));
		}

	}

	/**
	 * Bans of keys that are denied often.
	 *
	 * @param after the denials after which a key is banned
	 * @param block the time of the first ban
	 * @param factor the factor by which each further ban is longer
	 * @param max the longest time of a ban
	 */
	public record PenaltyReport(String after, String block, int factor, String max) {

		static @Nullable PenaltyReport of(@Nullable Penalty penalty) {
			return (penalty == null) ? null : new PenaltyReport(penalty.after().toString(), Rate.text(penalty.block()),
					penalty.factor(), Rate.text(penalty.max()));
		}

	}

	/**
	 * A plan.
	 *
	 * @param limits the limits
	 * @param mode the mode
	 */
	public record PlanReport(List<LimitReport> limits, String mode) {

		static PlanReport of(Plan plan) {
			return new PlanReport(LimitReport.of(plan.limits()), lowerCase(plan.mode()));
		}

	}

	/**
	 * A limit.
	 *
	 * @param rate the limit, as in configuration
	 * @param algorithm the algorithm
	 * @param burst the most permits at once
	 */
	public record LimitReport(String rate, String algorithm, long burst) {

		static List<LimitReport> of(List<Limit> limits) {
			return limits.stream().map(LimitReport::of).toList();
		}

		static LimitReport of(Limit limit) {
			return new LimitReport(limit.toString(), limit.algorithm().id(), limit.burst());
		}

	}

}

package io.github.ratelimit.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.properties.PolicyProperties.PlanProperties;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.KeyResolvers;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the properties that distinguish the callers of a policy: plans, modes and
 * lists.
 */
final class PlanReader {

	private static final String LIMITS = ".limits";

	private static final String MODE = ".mode";

	private static final String PERMITS = ".permits";

	private static final String MAX_PERMITS = ".max-permits";

	private final String property;

	private final PolicyProperties properties;

	private final KeyResolvers keys;

	private final SchedulesInEffect schedules;

	PlanReader(String property, PolicyProperties properties, KeyResolvers keys, SchedulesInEffect schedules) {
		this.property = property;
		this.properties = properties;
		this.keys = keys;
		this.schedules = schedules;
	}

	/** Returns a policy with its plans, mode and lists. */
	Policy complete(Policy policy) {
		List<Limit> candidates = PropertyCheck.limits(this.property + ".candidate", this.properties.candidate(),
				this.properties.algorithm());
		checkEntries("exempt", this.properties.exempt());
		checkEntries("blocked", this.properties.blocked());
		CallerSelectors callers = new CallerSelectors(policy.keys(), plan(), this.properties.exempt(),
				this.properties.blocked());
		Policy selecting = withPermits(policy.withCallerSelectors(callers));
		return plans(PropertyCheck.checked(this.property + ".candidate", this.properties.candidate(),
				() -> selecting.withMode(this.properties.mode(), candidates)));
	}

	/** Adds the permits that calls tell, which have a ceiling. */
	private Policy withPermits(Policy policy) {
		String word = this.properties.permits();
		Long most = this.properties.maxPermits();
		PropertyCheck.requireText(this.property + PERMITS, word);
		if (word == null && most == null) {
			return policy;
		}
		if (word == null || most == null) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + this.property + ((word == null) ? PERMITS : MAX_PERMITS)
							+ "' is missing, while '" + this.property + ((word == null) ? MAX_PERMITS : PERMITS)
							+ "' is set",
					"Set '" + this.property + PERMITS + "' to the word for a caller's number, such as claim:rpm, and '"
							+ this.property + MAX_PERMITS + "' to the most that it can be, such as 1000.",
					null);
		}
		OwnPermits own = PropertyCheck.checked(this.property + MAX_PERMITS, most, () -> new OwnPermits(word, most));
		return PropertyCheck.checked(this.property + PERMITS, word, () -> {
			this.keys.checkPermits(own);
			return policy.withCallerSelectors(policy.callers().withPermits(own));
		});
	}

	/** Adds the plans, whose limits are checked for all schedules. */
	private Policy plans(Policy policy) {
		Map<String, Plan> plans = new LinkedHashMap<>();
		ScheduleReader.ofPlans(policy.name(), this.properties).forEach((name, schedules) -> {
			PlanProperties plan = Objects.requireNonNull(this.properties.plans().get(name));
			Map<String, List<Limit>> limits = limits(plan, schedules, policy);
			limits.forEach((owner, each) -> PropertyCheck.checked(owner, each, () -> {
				plans.put(name, new Plan(each, mode(plan)));
				return policy.withPlans(plans);
			}));
			Integer inEffect = this.schedules.of(schedules);
			String owner = (inEffect != null) ? schedules.property(inEffect) : schedules.owner();
			plans.put(name, new Plan(Objects.requireNonNull(limits.get(owner)), mode(plan)));
		});
		return checked(policy.withPlans(plans));
	}

	/**
	 * Returns the limits that a plan has of its own and by its schedules, by property.
	 */
	private Map<String, List<Limit>> limits(PlanProperties plan, ScheduleReader schedules, Policy policy) {
		Map<String, List<Limit>> limits = new LinkedHashMap<>();
		limits.put(schedules.owner(), limits(schedules.owner(), plan, policy.limits()));
		for (int i = 0; i < schedules.size(); i++) {
			schedules.check(i);
			String ofSchedule = schedules.property(i) + LIMITS;
			PropertyCheck.requireLimits(ofSchedule, schedules.limits(i));
			limits.put(schedules.property(i),
					PropertyCheck.limits(ofSchedule, schedules.limits(i), this.properties.algorithm()));
		}
		return limits;
	}

	/** Requires that a share of keys is enforced at all. */
	private Policy checked(Policy policy) {
		if (policy.options().enforced().isPartial() && !policy.isEnforced()) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + this.property + ".enforce' has the value '" + this.properties.enforce()
							+ "', but the policy is not enforced for any key, as '" + this.property + MODE
							+ "' has the value '" + YamlWords.of(this.properties.mode()) + "'",
					"Remove '" + this.property + MODE + "' or '" + this.property + ".enforce'.", null);
		}
		return policy;
	}

	/** Returns the limits of a plan, which are the policy's if it has none of its own. */
	private List<Limit> limits(String property, PlanProperties plan, List<Limit> standard) {
		if (plan.value() != null) {
			return PropertyCheck.limits(property, plan.value(), this.properties.algorithm());
		}
		return (plan.limits() == null) ? standard
				: PropertyCheck.limits(property + LIMITS, plan.limits(), this.properties.algorithm());
	}

	private EnforcementMode mode(PlanProperties plan) {
		return Objects.requireNonNullElse(plan.mode(), this.properties.mode());
	}

	private @Nullable String plan() {
		String word = this.properties.plan();
		PropertyCheck.requireText(this.property + ".plan", word);
		if (word != null) {
			PropertyCheck.checked(this.property + ".plan", word, () -> {
				this.keys.checkPlan(word);
				return word;
			});
		}
		else if (!this.properties.plans().isEmpty()) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + this.property + ".plan' is missing, so that no caller has one of "
							+ this.properties.plans().keySet(),
					"Set it to the word for a caller's plan, such as header:X-Plan.", null);
		}
		return word;
	}

	private void checkEntries(String list, List<String> entries) {
		for (int i = 0; i < entries.size(); i++) {
			String entry = entries.get(i);
			PropertyCheck.requireText(this.property + '.' + list + '[' + i + ']', entry);
			PropertyCheck.checked(this.property + '.' + list + '[' + i + ']', entry, () -> {
				this.keys.checkEntry(entry);
				return entry;
			});
		}
	}

}

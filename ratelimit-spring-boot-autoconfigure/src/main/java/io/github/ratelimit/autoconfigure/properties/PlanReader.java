package io.github.ratelimit.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.KeyResolvers;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.convert.ConversionException;

/**
 * A reader of the properties that distinguish the callers of a policy: plans, modes and
 * lists.
 */
final class PlanReader {

	private static final String LIMITS = ".limits";

	private static final String MODE = ".mode";

	private final String property;

	private final PolicyProperties properties;

	private final KeyResolvers keys;

	PlanReader(String property, PolicyProperties properties, KeyResolvers keys) {
		this.property = property;
		this.properties = properties;
		this.keys = keys;
	}

	/** Returns a policy with its plans, mode and lists. */
	Policy complete(Policy policy) {
		List<Limit> candidates = PropertyCheck.limits(this.property + ".candidate", this.properties.candidate(),
				this.properties.algorithm());
		checkEntries("exempt", this.properties.exempt());
		checkEntries("blocked", this.properties.blocked());
		CallerSelectors callers = new CallerSelectors(policy.keys(), plan(), this.properties.exempt(),
				this.properties.blocked());
		return plans(PropertyCheck.checked(this.property + ".candidate", this.properties.candidate(),
				() -> policy.withCallerSelectors(callers).withMode(this.properties.mode(), candidates)));
	}

	/** Adds the plans. A plan that only has a mode has the limits of the policy. */
	private Policy plans(Policy policy) {
		Map<String, Plan> plans = new LinkedHashMap<>();
		for (String name : names()) {
			String plan = this.property + ".plans." + name;
			List<Limit> limits = limits(plan, name, policy.limits());
			plans.put(name, new Plan(limits, mode(plan, this.properties.plans().get(name + MODE))));
			PropertyCheck.checked(plan, limits, () -> policy.withPlans(plans));
		}
		return checked(policy.withPlans(plans));
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

	private List<Limit> limits(String plan, String name, List<Limit> standard) {
		List<String> texts = this.properties.plans().get(name);
		List<String> grouped = this.properties.plans().get(name + LIMITS);
		if (texts != null) {
			return PropertyCheck.limits(plan, texts, this.properties.algorithm());
		}
		return (grouped != null) ? PropertyCheck.limits(plan + LIMITS, grouped, this.properties.algorithm()) : standard;
	}

	private EnforcementMode mode(String plan, @Nullable List<String> mode) {
		return (mode == null) ? this.properties.mode()
				: PropertyCheck.checked(plan + MODE, String.join(",", mode), () -> mode(String.join(",", mode)));
	}

	/** Converts as Spring Boot does for enums, as YAML reads {@code off} as false. */
	private static EnforcementMode mode(String word) {
		try {
			return Objects
				.requireNonNull(ApplicationConversionService.getSharedInstance().convert(word, EnforcementMode.class));
		}
		catch (ConversionException ex) {
			throw new IllegalArgumentException(
					"it is one of " + String.join(", ", YamlWords.all(EnforcementMode.class)), ex);
		}
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
		else if (!names().isEmpty()) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + this.property + ".plan' is missing, so that no caller has one of " + names(),
					"Set it to the word for a caller's plan, such as header:X-Plan.", null);
		}
		return word;
	}

	/** Returns the names of the plans, of which some are bound by their parts. */
	private Set<String> names() {
		return this.properties.plans()
			.keySet()
			.stream()
			.map((key) -> key.endsWith(MODE) ? key.substring(0, key.length() - MODE.length())
					: key.endsWith(LIMITS) ? key.substring(0, key.length() - LIMITS.length()) : key)
			.collect(Collectors.toCollection(LinkedHashSet::new));
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

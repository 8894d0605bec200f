package io.github.ratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.Callers;
import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.Plan;
import io.github.ratelimit.Policy;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.autoconfigure.RateLimitProperties.PolicyProperties;
import io.github.ratelimit.spring.key.KeyResolvers;
import org.jspecify.annotations.Nullable;

/**
 * Reads how a policy treats its callers from its properties: plans, modes and lists. Or
 * names the property that is wrong.
 */
final class PlanReader {

	private final String property;

	private final PolicyProperties properties;

	private final KeyResolvers keys;

	PlanReader(String property, PolicyProperties properties, KeyResolvers keys) {
		this.property = property;
		this.properties = properties;
		this.keys = keys;
	}

	/** The policy for its callers. */
	Policy complete(Policy policy) {
		List<Limit> candidates = PolicyReader.limits(this.property + ".candidate", this.properties.candidate(),
				this.properties.algorithm());
		checkEntries("exempt", this.properties.exempt());
		checkEntries("blocked", this.properties.blocked());
		Callers callers = new Callers(policy.keys(), plan(), this.properties.exempt(), this.properties.blocked());
		return plans(PolicyReader.checked(this.property + ".candidate", this.properties.candidate(),
				() -> policy.withCallers(callers).withMode(this.properties.mode(), candidates)));
	}

	/** A plan that only has a mode has the policy's own limits. */
	private Policy plans(Policy policy) {
		Map<String, Plan> plans = new LinkedHashMap<>();
		for (String name : names()) {
			List<String> texts = this.properties.plans().get(name);
			String plan = this.property + ".plans." + name;
			List<Limit> limits = (texts != null) ? PolicyReader.limits(plan, texts, this.properties.algorithm())
					: policy.limits();
			plans.put(name, new Plan(limits, this.properties.planModes().getOrDefault(name, this.properties.mode())));
			PolicyReader.checked(plan, limits, () -> policy.withPlans(plans));
		}
		return policy.withPlans(plans);
	}

	private @Nullable String plan() {
		String word = this.properties.plan();
		if (word != null) {
			PolicyReader.checked(this.property + ".plan", word, () -> {
				this.keys.checkPlan(word);
				return word;
			});
		}
		else if (!names().isEmpty()) {
			throw new InvalidRateLimitException(
					"The property '" + this.property + ".plan' is missing, so that nobody has one of " + names(),
					"Set it to what tells a caller's plan, such as header:X-Plan.", null);
		}
		return word;
	}

	private Set<String> names() {
		Set<String> names = new LinkedHashSet<>(this.properties.plans().keySet());
		names.addAll(this.properties.planModes().keySet());
		return names;
	}

	private void checkEntries(String list, List<String> entries) {
		for (int i = 0; i < entries.size(); i++) {
			String entry = entries.get(i);
			PolicyReader.checked(this.property + '.' + list + '[' + i + ']', entry, () -> {
				this.keys.checkEntry(entry);
				return entry;
			});
		}
	}

}

package io.github.ratelimit.spring.control;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions.StoreFailure;
import io.github.ratelimit.spring.control.Control.Change;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The policies that differ from configuration. For one thread at a time.
 */
final class PolicyChanges {

	private static final Log logger = LogFactory.getLog(PolicyChanges.class);

	private final Policies policies;

	/** The configured policies of those that are changed. */
	private final Map<String, Policy> configured = new HashMap<>();

	PolicyChanges(Policies policies) {
		this.policies = policies;
	}

	/** Applies changes, and undoes those that are no longer among them. */
	void apply(Collection<Change> changes) {
		Set<String> changed = changes.stream().map(Change::policy).collect(Collectors.toSet());
		for (Policy policy : List.copyOf(this.configured.values())) {
			if (!changed.contains(policy.name())) {
				this.policies.replace(policy);
				this.configured.remove(policy.name());
			}
		}
		changes.forEach(this::apply);
	}

	private void apply(Change change) {
		try {
			Policy current = this.policies.get(change.policy());
			Policy changed = changed(this.configured.getOrDefault(change.policy(), current), change);
			if (!changed.equals(current)) {
				this.configured.putIfAbsent(change.policy(), current);
				this.policies.replace(changed);
			}
		}
		catch (IllegalArgumentException ex) {
			logger.warn("A change of policy '" + change.policy() + "' does not fit this instance: " + ex.getMessage());
		}
	}

	/**
	 * Returns a policy with a change.
	 * @throws IllegalArgumentException if the change does not fit the policy
	 */
	static Policy changed(Policy policy, Change change) {
		Policy changed = change.limits().isEmpty() ? policy : policy.withLimits(limits(policy, change.limits()));
		if (change.mode() != null) {
			changed = changed.withMode(change.mode(), policy.standard().candidates());
		}
		if (change.onStoreFailure() != null) {
			StoreFailure failure = policy.options().storeFailure();
			changed = changed
				.withOptions(changed.options().withStoreFailure(change.onStoreFailure(), failure.localShare()));
		}
		return changed;
	}

	/**
	 * Returns limits read as those of a policy.
	 * @throws IllegalArgumentException if they do not fit the policy
	 */
	static List<Limit> limits(Policy policy, List<String> texts) {
		Algorithm standard = policy.limits().get(0).algorithm();
		List<Limit> limits = texts.stream().map((text) -> Limit.parse(text, standard)).toList();
		policy.withLimits(limits);
		return limits;
	}

}

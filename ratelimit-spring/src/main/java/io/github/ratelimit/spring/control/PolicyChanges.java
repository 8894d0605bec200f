package io.github.ratelimit.spring.control;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions.StoreFailure;
import io.github.ratelimit.spring.control.Control.Change;

/**
 * The policies that differ from configuration. For one thread at a time.
 */
final class PolicyChanges {

	private final Policies policies;

	/** The configured policies of those that are changed. */
	private final Map<String, Policy> configured = new HashMap<>();

	private Map<String, Change> changes = Map.of();

	PolicyChanges(Policies policies) {
		this.policies = policies;
	}

	/** Applies changes of known policies, and undoes those no longer among them. */
	void apply(Collection<Change> changes) {
		Map<String, Policy> concerned = new HashMap<>(this.configured);
		for (Change change : changes) {
			concerned.putIfAbsent(change.policy(), this.policies.get(change.policy()));
		}
		this.changes = changes.stream()
			.collect(Collectors.toMap(Change::policy, Function.identity(), (one, other) -> other));
		configure(concerned.values());
	}

	/** Returns the configured policies of those that are changed, by name. */
	Map<String, Policy> configured() {
		return Map.copyOf(this.configured);
	}

	/** Replaces the configured policies. The changes in effect still apply. */
	void configure(Collection<Policy> policies) {
		List<Policy> effective = new ArrayList<>();
		for (Policy policy : List.copyOf(policies)) {
			Policy changed = changed(policy);
			effective.add(changed);
			if (changed.equals(policy)) {
				this.configured.remove(policy.name());
			}
			else {
				this.configured.put(policy.name(), policy);
			}
		}
		this.policies.replaceAll(effective);
	}

	private Policy changed(Policy policy) {
		Change change = this.changes.get(policy.name());
		try {
			return (change != null) ? changed(policy, change) : policy;
		}
		catch (IllegalArgumentException ex) {
			return policy; // the control is skipped, and that is logged
		}
	}

	/**
	 * Returns a policy with a change.
	 * @throws IllegalArgumentException if the change changes nothing, contradicts itself
	 * or does not fit the policy
	 */
	static Policy changed(Policy policy, Change change) {
		if (change.effect().isEmpty()) {
			throw new IllegalArgumentException("a change has limits, a mode, enforce or onStoreFailure");
		}
		Policy changed = change.limits().isEmpty() ? policy : policy.withLimits(limits(policy, change.limits()));
		changed = enforced(changed, change);
		if (change.onStoreFailure() != null) {
			StoreFailure failure = policy.options().storeFailure();
			changed = changed
				.withOptions(changed.options().withStoreFailure(change.onStoreFailure(), failure.localShare()));
		}
		return changed;
	}

	/**
	 * Returns a policy in the mode of a change, for the keys of the change. A share of
	 * keys is to be enforced, and a policy of which no key was enforced for all keys.
	 */
	private static Policy enforced(Policy policy, Change change) {
		EnforcedShare share = change.enforce();
		if (share != null && change.mode() != null && change.mode() != EnforcementMode.ENFORCE) {
			throw new IllegalArgumentException("a change that enforces a share of keys, " + share
					+ ", has no other mode: leave one of 'mode' and 'enforce' out");
		}
		EnforcementMode mode = (share != null) ? EnforcementMode.ENFORCE : change.mode();
		if (mode == null) {
			return policy;
		}
		if (share == null) {
			boolean begins = mode == EnforcementMode.ENFORCE && policy.options().enforced().equals(EnforcedShare.NONE);
			share = begins ? EnforcedShare.ALL : policy.options().enforced();
		}
		return policy.withOptions(policy.options().withEnforced(share)).withMode(mode, policy.standard().candidates());
	}

	/**
	 * Returns limits read as those of a policy.
	 * @throws IllegalArgumentException if they do not fit the policy
	 */
	static List<Limit> limits(Policy policy, List<String> texts) {
		Algorithm standard = policy.limits()
			.stream()
			.filter((limit) -> !limit.isConcurrency())
			.findFirst()
			.map(Limit::algorithm)
			.orElse(Algorithm.of(Limit.STANDARD_ALGORITHM));
		List<Limit> limits = texts.stream().map((text) -> Limit.parse(text, standard)).toList();
		requireKinds(policy.limits(), policy.withLimits(limits).limits());
		return limits;
	}

	/**
	 * Requires that rates stay rates, as what charges a policy may not be able to hold
	 * permits.
	 */
	private static void requireKinds(List<Limit> before, List<Limit> after) {
		for (int i = 0; i < after.size(); i++) {
			if (after.get(i).isConcurrency() != before.get(i).isConcurrency()) {
				throw new IllegalArgumentException("'" + after.get(i) + "' cannot replace '" + before.get(i)
						+ "': a rate stays a rate, and a limit on concurrency one on concurrency");
			}
		}
	}

}

package io.github.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.PolicyUse;

/**
 * The policies of the clients of HTTP service groups. Immutable.
 */
final class HttpServiceGroupPolicies implements PolicyUse {

	private final String prefix;

	private final Map<String, String> byGroup;

	/**
	 * Creates the policies of groups. Throws if there is no such policy.
	 * @param prefix the prefix of the properties that set them
	 */
	HttpServiceGroupPolicies(String prefix, Map<String, String> byGroup, Policies policies) {
		this.prefix = prefix;
		this.byGroup = Map.copyOf(byGroup);
		new TreeMap<>(byGroup).forEach((group, policy) -> requireKnown(group, policy, policies));
	}

	private void requireKnown(String group, String policy, Policies policies) {
		try {
			policies.get(policy);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + property(group) + "' is '" + policy + "', but " + ex.getMessage(),
					"Correct the name, or configure 'ratelimit.policies." + policy + "'.", ex);
		}
	}

	private String property(String group) {
		return this.prefix + '.' + group;
	}

	/** Returns the names of policies by groups. */
	Map<String, String> byGroup() {
		return this.byGroup;
	}

	/** Checks that the groups exist. */
	void requireGroups(Set<String> known) {
		for (String group : new TreeSet<>(this.byGroup.keySet())) {
			if (!known.contains(group)) {
				throw new InvalidRateLimitConfigurationException(
						"The property '" + property(group) + "' limits the HTTP service group '" + group
								+ "', which does not exist; there are " + new TreeSet<>(known),
						"Correct the name to that of a group of @ImportHttpServices, or remove the property.", null);
			}
		}
	}

	@Override
	public Map<String, ? extends Collection<String>> byPolicy() {
		return this.byGroup.entrySet()
			.stream()
			.collect(Collectors.groupingBy(Map.Entry::getValue,
					Collectors.mapping((entry) -> property(entry.getKey()), Collectors.toList())));
	}

}

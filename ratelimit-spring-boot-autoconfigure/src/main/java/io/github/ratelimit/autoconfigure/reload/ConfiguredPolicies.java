package io.github.ratelimit.autoconfigure.reload;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.method.RateLimitedMethods;

/**
 * The policies that properties define, and those of annotations, which have options of
 * the properties. An application may have others. For one thread at a time.
 */
final class ConfiguredPolicies {

	private final Policies policies;

	private final KeyResolvers keys;

	private final RateLimitedMethods methods;

	private final Controls controls;

	/** The names of all policies that have been in effect. */
	private final Set<String> names = new HashSet<>();

	ConfiguredPolicies(Policies policies, KeyResolvers keys, RateLimitedMethods methods, Controls controls) {
		this.policies = policies;
		this.keys = keys;
		this.methods = methods;
		this.controls = controls;
	}

	/** Returns the difference between the policies of two configurations. */
	Difference difference(PropertiesInEffect before, PropertiesInEffect after) {
		List<Policy> known = read(before);
		List<Policy> read = read(after);
		Policies all = new Policies(read);
		Set<String> configured = Set.copyOf(all.names());
		known.forEach((policy) -> this.names.add(policy.name()));
		this.policies.all()
			.stream()
			.filter((policy) -> !configured.contains(policy.name()) && !this.names.contains(policy.name()))
			.forEach(all::add);
		Set<String> earlier = known.stream().map(Policy::name).collect(Collectors.toSet());
		return new Difference(read.stream().filter((policy) -> !known.contains(policy)).toList(), earlier, all,
				this.names.stream().filter((name) -> !configured.contains(name)).toList());
	}

	/** Puts changed policies into effect, on which controls still apply. */
	void configure(Difference difference) {
		this.controls.configure(difference.changed(), Set.copyOf(difference.absent()));
	}

	private List<Policy> read(PropertiesInEffect configuration) {
		PolicyOptions standard = PolicyReader.standard(configuration.properties());
		List<Policy> read = new ArrayList<>(
				new PolicyReader(this.keys, standard).read(configuration.properties(), configuration.schedules()));
		read.addAll(this.methods.inlinePolicies(standard));
		return read;
	}

	/**
	 * The difference between the policies of two configurations.
	 *
	 * @param changed the policies that the later configuration changes or adds
	 * @param earlier the names of the policies of the earlier configuration
	 * @param all all policies that there are with the later configuration
	 * @param absent the names of policies that an earlier configuration had, and that
	 * stay in effect until a restart
	 */
	record Difference(List<Policy> changed, Set<String> earlier, Policies all, List<String> absent) {

		/** Returns the properties of the policies that are absent. */
		Stream<String> removed() {
			return this.absent.stream().map((policy) -> RateLimitProperties.PREFIX + ".policies." + policy);
		}

	}

}

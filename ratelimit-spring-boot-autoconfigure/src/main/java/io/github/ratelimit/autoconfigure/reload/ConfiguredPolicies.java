package io.github.ratelimit.autoconfigure.reload;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
 * the properties. An application may have others.
 */
final class ConfiguredPolicies {

	private final Policies policies;

	private final KeyResolvers keys;

	private final RateLimitedMethods methods;

	private final Controls controls;

	ConfiguredPolicies(Policies policies, KeyResolvers keys, RateLimitedMethods methods, Controls controls) {
		this.policies = policies;
		this.keys = keys;
		this.methods = methods;
		this.controls = controls;
	}

	/** Returns the policies that differ between properties, as the later have them. */
	List<Policy> changed(RateLimitProperties before, RateLimitProperties after) {
		List<Policy> known = read(before);
		return read(after).stream().filter((policy) -> !known.contains(policy)).toList();
	}

	/** Returns all policies that there are with the later of two properties. */
	Policies all(RateLimitProperties before, RateLimitProperties after) {
		Policies all = new Policies(read(after));
		Set<String> configured = names(read(before));
		configured.addAll(names(read(after)));
		this.policies.all().stream().filter((policy) -> !configured.contains(policy.name())).forEach(all::add);
		return all;
	}

	/** Puts changed policies into effect, on which controls still apply. */
	void configure(List<Policy> changed) {
		this.controls.configure(changed);
	}

	private List<Policy> read(RateLimitProperties properties) {
		PolicyOptions standard = PolicyReader.standard(properties);
		List<Policy> read = new ArrayList<>(new PolicyReader(this.keys, standard).read(properties.policies()));
		read.addAll(this.methods.inlinePolicies(standard));
		return read;
	}

	private static Set<String> names(List<Policy> policies) {
		return policies.stream().map(Policy::name).collect(Collectors.toSet());
	}

}

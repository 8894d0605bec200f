package io.github.ratelimit.autoconfigure.check;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The policies that an application uses, as far as that is known before its first call.
 * Code that has the limiter may use any.
 */
final class UsedPolicies implements Supplier<Set<String>> {

	private final RateLimitProperties properties;

	private final RateLimitedMethods methods;

	private final ConfigurableListableBeanFactory beans;

	UsedPolicies(RateLimitProperties properties, RateLimitedMethods methods, ConfigurableListableBeanFactory beans) {
		this.properties = properties;
		this.methods = methods;
		this.beans = beans;
	}

	@Override
	public Set<String> get() {
		Set<String> all = this.properties.policies().keySet();
		Set<String> used = new HashSet<>(PolicyReader.namesInUse(this.properties));
		used.addAll(this.methods.byPolicy().keySet());
		this.beans.getBeanProvider(PolicyUse.class).forEach((use) -> used.addAll(use.byPolicy().keySet()));
		return (used.containsAll(all) || !LimiterUse.isPossible(this.beans)) ? used : all;
	}

}

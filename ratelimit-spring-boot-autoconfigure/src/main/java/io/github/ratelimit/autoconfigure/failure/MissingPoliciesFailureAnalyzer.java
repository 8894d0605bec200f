package io.github.ratelimit.autoconfigure.failure;

import java.util.List;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/**
 * A failure analyzer for the first policy that is missed where no policy is configured at
 * all. Usually another file was read than the one that has the policies.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingPoliciesFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRateLimitConfigurationException> {

	private static final String POLICIES = "ratelimit.policies";

	private final @Nullable Environment environment;

	MissingPoliciesFailureAnalyzer(@Nullable Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, InvalidRateLimitConfigurationException cause) {
		if (this.environment == null || hasPolicies(this.environment)
				|| !String.valueOf(cause.getMessage()).contains("there is no policy named '")) {
			return null;
		}
		return new FailureAnalysis(cause.getMessage() + ".",
				"There is no '" + POLICIES + "' in the configuration that was read: " + files(this.environment)
						+ ". Define the policy there. In a test, a file of src/test/resources replaces the file of the "
						+ "same name of src/main/resources.",
				cause);
	}

	private static boolean hasPolicies(Environment environment) {
		return Binder.get(environment).bind(POLICIES, Bindable.mapOf(String.class, Object.class)).isBound();
	}

	private static List<String> files(Environment environment) {
		return (environment instanceof ConfigurableEnvironment sources) ? sources.getPropertySources()
			.stream()
			.filter(OriginTrackedMapPropertySource.class::isInstance)
			.map(PropertySource::getName)
			.toList() : List.of();
	}

}

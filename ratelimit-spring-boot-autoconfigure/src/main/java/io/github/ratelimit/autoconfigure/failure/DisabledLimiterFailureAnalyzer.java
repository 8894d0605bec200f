package io.github.ratelimit.autoconfigure.failure;

import java.util.Objects;

import io.github.ratelimit.RateLimiter;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * A failure analyzer for beans of the limiter that are missed because the limiter is off.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class DisabledLimiterFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String ENABLED = "ratelimit.enabled";

	private final @Nullable Environment environment;

	DisabledLimiterFailureAnalyzer(@Nullable Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		Class<?> type = (cause.getResolvableType() != null) ? cause.getResolvableType().resolve() : null;
		if (type == null || cause.getNumberOfBeansFound() > 0
				|| !type.getName().startsWith(RateLimiter.class.getPackageName() + '.') || this.environment == null
				|| this.environment.getProperty(ENABLED, Boolean.class, true)) {
			return null;
		}
		return new FailureAnalysis(
				Objects.requireNonNullElse(description, "A bean") + " required a bean of type '" + type.getName()
						+ "' that does not exist, because '" + ENABLED + "' is 'false'.",
				"Set '" + ENABLED + "' to true, or inject an ObjectProvider<" + type.getSimpleName() + ">.", cause);
	}

}

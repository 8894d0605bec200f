package io.github.ratelimit.autoconfigure.failure;

import io.github.ratelimit.autoconfigure.properties.UnknownWord;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * A failure analyzer that reports an unknown word in a property, and the words that it
 * knows. It precedes Spring Boot's own analyzer of such failures.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownWordFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		InvalidRateLimitConfigurationException invalid = UnknownWord.explain(cause);
		return (invalid == null) ? null : InvalidRateLimitFailureAnalyzer.analysis(invalid);
	}

}

package io.github.ratelimit.autoconfigure.failure;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * A failure analyzer that reports an invalid limit that stopped the start-up, and how to
 * correct it. It precedes Spring Boot's own analyzers, which would report the cause, such
 * as a missing bean, without the property that names it.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class InvalidRateLimitFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRateLimitConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRateLimitConfigurationException cause) {
		return analysis(cause);
	}

	static FailureAnalysis analysis(InvalidRateLimitConfigurationException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", cause.getAction(), cause);
	}

}

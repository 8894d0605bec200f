package io.github.ratelimit.autoconfigure.failure;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * A failure analyzer that reports an invalid limit that stopped the start-up, and how to
 * correct it.
 */
final class InvalidRateLimitFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRateLimitConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRateLimitConfigurationException cause) {
		return analysis(cause);
	}

	static FailureAnalysis analysis(InvalidRateLimitConfigurationException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", cause.getAction(), cause);
	}

}

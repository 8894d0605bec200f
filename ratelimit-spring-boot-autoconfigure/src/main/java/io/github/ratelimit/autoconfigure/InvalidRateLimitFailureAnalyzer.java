package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidRateLimitException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Tells what is wrong with a limit, and what to do about it, where that stopped the
 * start-up.
 */
final class InvalidRateLimitFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRateLimitException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRateLimitException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", cause.getAction(), cause);
	}

}

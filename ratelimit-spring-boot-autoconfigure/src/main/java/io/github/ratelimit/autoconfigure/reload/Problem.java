package io.github.ratelimit.autoconfigure.reload;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;

import org.springframework.core.NestedExceptionUtils;

/**
 * A description of what is wrong with a configuration, for operators.
 */
final class Problem {

	private Problem() {
	}

	/** Returns the message of a failure and, unless it says enough, of its root cause. */
	static String of(RuntimeException failure) {
		String message = String.valueOf(failure.getMessage());
		if (failure instanceof InvalidRateLimitConfigurationException invalid) {
			return message + ". " + invalid.getAction();
		}
		String cause = String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
		return message.contains(cause) ? message : message + ": " + cause;
	}

}

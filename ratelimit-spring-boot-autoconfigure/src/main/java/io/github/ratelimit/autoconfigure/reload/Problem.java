package io.github.ratelimit.autoconfigure.reload;

import io.github.ratelimit.autoconfigure.properties.UnknownWord;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.core.NestedExceptionUtils;

/**
 * A description of what is wrong with a configuration, for operators.
 */
final class Problem {

	private Problem() {
	}

	/** Returns the message of a failure and, unless it says enough, of its root cause. */
	static String of(Throwable failure) {
		InvalidRateLimitConfigurationException invalid = invalid(failure);
		if (invalid != null) {
			return invalid.getMessage() + ". " + invalid.getAction();
		}
		String message = (failure instanceof Error) ? failure.toString() : String.valueOf(failure.getMessage());
		String cause = String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
		return message.contains(cause) ? message : message + ": " + cause;
	}

	private static @Nullable InvalidRateLimitConfigurationException invalid(Throwable failure) {
		if (failure instanceof BindException unbound) {
			return UnknownWord.explain(unbound);
		}
		return (failure instanceof InvalidRateLimitConfigurationException invalid) ? invalid : null;
	}

}

package io.github.ratelimit.spring.override;

import java.util.concurrent.TimeoutException;

import org.springframework.core.task.TaskRejectedException;

/**
 * The reasons why a lookup fails.
 */
public enum OverrideFailure {

	/** The source threw an exception, or its limits do not fit the policy. */
	ERROR,

	/** The source did not return in time. */
	TIMEOUT,

	/** Too many lookups were in flight, so this one was not started. */
	FULL;

	static OverrideFailure of(Throwable cause) {
		if (cause instanceof TimeoutException) {
			return TIMEOUT;
		}
		return (cause instanceof TaskRejectedException) ? FULL : ERROR;
	}

}

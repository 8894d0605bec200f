package io.github.ratelimit.policy;

import org.jspecify.annotations.Nullable;

/**
 * An exception thrown if a limit is configured or annotated wrongly, so that the
 * application must not start.
 */
public class InvalidRateLimitConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** How to correct the mistake. */
	private final String action;

	/**
	 * Creates an exception.
	 * @param message the property or method, the value found and what is wrong with it
	 * @param action how to correct it
	 * @param cause the exception that revealed the mistake, if any
	 */
	public InvalidRateLimitConfigurationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * Returns how to correct the mistake.
	 * @return a sentence for the author of the configuration
	 */
	public String getAction() {
		return this.action;
	}

}

package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * A limit is configured or annotated wrongly, so that the application must not start.
 */
public class InvalidRateLimitException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * A mistake.
	 * @param message the property or method, the value found and what is wrong with it
	 * @param action what to do about it
	 * @param cause what found the mistake, if anything
	 */
	public InvalidRateLimitException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * What to do about it.
	 * @return a sentence for whoever wrote the configuration
	 */
	public String getAction() {
		return this.action;
	}

}

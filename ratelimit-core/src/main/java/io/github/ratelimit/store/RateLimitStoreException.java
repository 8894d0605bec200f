package io.github.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * A store could not decide. The message names the store and what failed, never a key.
 */
public class RateLimitStoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * A failure.
	 * @param message what failed
	 * @param cause why, if known
	 */
	public RateLimitStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

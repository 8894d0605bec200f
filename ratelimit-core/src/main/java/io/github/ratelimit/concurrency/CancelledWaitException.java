package io.github.ratelimit.concurrency;

import java.io.Serial;
import java.util.concurrent.CancellationException;

/**
 * Thrown when a wait for permits or for an upstream is cut off, as its thread was
 * interrupted or the rate limiter was closed. The call is not charged.
 */
public final class CancelledWaitException extends CancellationException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what cut off the wait
	 */
	public CancelledWaitException(String message) {
		super(message);
	}

}

package io.github.ratelimit;

import io.github.ratelimit.algorithm.Decision;

/**
 * A call was denied by its policies. It carries no stack trace, as it tells of the caller
 * and not of the code, and its message never holds the caller's key.
 */
public class RateLimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Decision decision;

	/**
	 * A denial.
	 * @param decision what was denied
	 */
	public RateLimitExceededException(Decision decision) {
		super("Rate limit exceeded; the call fits in " + decision.retryAfterMicros() + " us", null, false, false);
		this.decision = decision;
	}

	/**
	 * What was denied.
	 * @return a decision that is not {@linkplain Decision#allowed allowed}
	 */
	public Decision getDecision() {
		return this.decision;
	}

}

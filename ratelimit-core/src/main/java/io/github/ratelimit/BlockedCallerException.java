package io.github.ratelimit;

/**
 * An exception thrown if a policy blocks the caller of a call.
 */
public class BlockedCallerException extends RefusedCallerException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param policy the policy's name
	 */
	public BlockedCallerException(String policy) {
		super(policy, "Policy '" + policy + "' blocks the caller");
	}

}

package io.github.ratelimit;

/**
 * A call was refused because a policy blocks its caller.
 */
public class BlockedCallerException extends RefusedCallerException {

	private static final long serialVersionUID = 1L;

	/**
	 * A refusal.
	 * @param policy the policy's name
	 */
	public BlockedCallerException(String policy) {
		super(policy, "Policy '" + policy + "' blocks the caller");
	}

}

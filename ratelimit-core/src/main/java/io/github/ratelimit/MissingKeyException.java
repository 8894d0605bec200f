package io.github.ratelimit;

/**
 * A call was refused because a policy that must know whom it limits could not tell.
 */
public class MissingKeyException extends RefusedCallerException {

	private static final long serialVersionUID = 1L;

	/**
	 * A refusal.
	 * @param policy the policy's name
	 */
	public MissingKeyException(String policy) {
		super(policy, "No key of policy '" + policy + "' has an answer for the call");
	}

}

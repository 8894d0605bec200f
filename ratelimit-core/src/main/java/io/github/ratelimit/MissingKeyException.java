package io.github.ratelimit;

/**
 * An exception thrown if no key of a policy that requires one resolves for a call.
 */
public class MissingKeyException extends RefusedCallerException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param policy the policy's name
	 */
	public MissingKeyException(String policy) {
		super(policy, "No key of policy '" + policy + "' has an answer for the call");
	}

}

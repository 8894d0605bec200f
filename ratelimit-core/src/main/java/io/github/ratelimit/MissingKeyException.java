package io.github.ratelimit;

import io.github.ratelimit.policy.Policy;

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
		this(policy, false);
	}

	/**
	 * Creates an exception.
	 * @param policy the policy
	 */
	public MissingKeyException(Policy policy) {
		this(policy.name(), policy.options().hidden());
	}

	private MissingKeyException(String policy, boolean hidden) {
		super(policy, hidden, "No key of policy '" + policy + "' has an answer for the call");
	}

}

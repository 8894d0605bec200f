package io.github.ratelimit;

import io.github.ratelimit.policy.Policy;

/**
 * An exception thrown if a policy blocks the caller of a call, or an operator has banned
 * the caller.
 */
public class BlockedCallerException extends RefusedCallerException {

	private static final long serialVersionUID = 1L;

	/** Whether an operator has banned the caller. */
	private final boolean banned;

	/**
	 * Creates an exception for a caller whom the policy blocks.
	 * @param policy the policy's name
	 */
	public BlockedCallerException(String policy) {
		this(policy, false, false);
	}

	/**
	 * Creates an exception for a caller whom the policy blocks.
	 * @param policy the policy
	 */
	public BlockedCallerException(Policy policy) {
		this(policy.name(), policy.options().hidden(), false);
	}

	private BlockedCallerException(String policy, boolean hidden, boolean banned) {
		super(policy, hidden, banned ? "The caller of policy '" + policy + "' is banned"
				: "Policy '" + policy + "' blocks the caller");
		this.banned = banned;
	}

	/**
	 * Creates an exception for a caller whom an operator has banned.
	 * @param policy the policy's name
	 * @return the exception
	 */
	public static BlockedCallerException banned(String policy) {
		return new BlockedCallerException(policy, false, true);
	}

	/**
	 * Creates an exception for a caller whom an operator has banned.
	 * @param policy the policy
	 * @return the exception
	 */
	public static BlockedCallerException banned(Policy policy) {
		return new BlockedCallerException(policy.name(), policy.options().hidden(), true);
	}

	/**
	 * Returns whether the caller is banned, rather than blocked by configuration.
	 * @return whether an operator has banned the caller
	 */
	public boolean isBanned() {
		return this.banned;
	}

}

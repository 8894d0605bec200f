package io.github.ratelimit;

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
		super(policy, "Policy '" + policy + "' blocks the caller");
		this.banned = false;
	}

	private BlockedCallerException(String policy, String message) {
		super(policy, message);
		this.banned = true;
	}

	/**
	 * Creates an exception for a caller whom an operator has banned.
	 * @param policy the policy's name
	 * @return the exception
	 */
	public static BlockedCallerException banned(String policy) {
		return new BlockedCallerException(policy, "The caller of policy '" + policy + "' is banned");
	}

	/**
	 * Returns whether the caller is banned, rather than blocked by configuration.
	 * @return whether an operator has banned the caller
	 */
	public boolean isBanned() {
		return this.banned;
	}

}

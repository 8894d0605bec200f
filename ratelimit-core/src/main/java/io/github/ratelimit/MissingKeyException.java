package io.github.ratelimit;

/**
 * A call was refused because a policy that must know whom it limits could not tell.
 * Nothing was charged, and no store was asked. It is not a denial for want of permits: no
 * wait would help. It carries no stack trace, as it tells of the caller and not of the
 * code.
 */
public class MissingKeyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String policy;

	/**
	 * A refusal.
	 * @param policy the policy's name
	 */
	public MissingKeyException(String policy) {
		super("No key of policy '" + policy + "' has an answer for the call", null, false, false);
		this.policy = policy;
	}

	/**
	 * The policy that could not tell whom it limits.
	 * @return its name
	 */
	public String getPolicy() {
		return this.policy;
	}

}

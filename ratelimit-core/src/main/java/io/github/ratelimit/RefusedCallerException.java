package io.github.ratelimit;

/**
 * An exception thrown if a call is refused because of its caller. Nothing was charged,
 * and no request was sent to a store. It is not a denial for lack of permits: waiting
 * would not help. It has no stack trace, as its cause is the caller and not the code.
 */
public abstract class RefusedCallerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** The policy's name. */
	private final String policy;

	/** Whether clients are not told of the policy. */
	private final boolean hidden;

	RefusedCallerException(String policy, boolean hidden, String message) {
		super(message, null, false, false);
		this.policy = policy;
		this.hidden = hidden;
	}

	/**
	 * Returns the policy that refused the caller.
	 * @return the policy's name
	 */
	public String getPolicy() {
		return this.policy;
	}

	/**
	 * Returns whether clients are not told of the policy.
	 * @return whether no response names it
	 */
	public boolean isPolicyHidden() {
		return this.hidden;
	}

}

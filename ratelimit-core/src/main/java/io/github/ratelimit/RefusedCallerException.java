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

	RefusedCallerException(String policy, String message) {
		super(message, null, false, false);
		this.policy = policy;
	}

	/**
	 * Returns the policy that refused the caller.
	 * @return the policy's name
	 */
	public String getPolicy() {
		return this.policy;
	}

}

package io.github.ratelimit.policy;

/**
 * An exception thrown if the cost of a call is no number of permits: it is negative, no
 * number, or cannot be computed exactly. Nothing was charged. It is a mistake of the code
 * that calls, not a denial: repeating the call is pointless. It has no stack trace, as
 * its cause is the caller and not the code.
 */
public class InvalidCostException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/** The policy's name. */
	private final String policy;

	/**
	 * Creates an exception.
	 * @param policy the policy's name
	 * @param message the message, without the caller's key
	 */
	public InvalidCostException(String policy, String message) {
		super(message);
		this.policy = policy;
	}

	/**
	 * Returns the policy that cannot charge the call.
	 * @return the policy's name
	 */
	public String getPolicy() {
		return this.policy;
	}

	@Override
	public final Throwable fillInStackTrace() {
		return this;
	}

}

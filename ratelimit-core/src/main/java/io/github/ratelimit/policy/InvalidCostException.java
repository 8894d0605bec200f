package io.github.ratelimit.policy;

import org.jspecify.annotations.Nullable;

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

	/** Whether clients are not told of the policy. */
	private final boolean hidden;

	/**
	 * Creates an exception.
	 * @param policy the policy's name
	 * @param message the message, without the caller's key
	 */
	public InvalidCostException(String policy, String message) {
		this(policy, false, message);
	}

	InvalidCostException(String policy, boolean hidden, @Nullable String message) {
		super(message);
		this.policy = policy;
		this.hidden = hidden;
	}

	/**
	 * Returns this exception for a policy that clients are not told of.
	 * @return an exception of the same kind and message
	 */
	public InvalidCostException withPolicyHidden() {
		return new InvalidCostException(this.policy, true, getMessage());
	}

	/**
	 * Returns the policy that cannot charge the call.
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

	@Override
	public final Throwable fillInStackTrace() {
		return this;
	}

}

package io.github.ratelimit;

import java.lang.reflect.Method;

/**
 * A call's cost is no number of permits: it is negative, no number, or cannot be worked
 * out exactly. Nothing was charged. It is a mistake of the caller's, not a denial:
 * repeating the call is pointless. It carries no stack trace, as it tells of the caller
 * and not of the code.
 */
public class InvalidCostException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String policy;

	/**
	 * A refusal.
	 * @param policy the policy's name
	 * @param method the method that was called
	 * @param mistake what is wrong with the cost
	 */
	public InvalidCostException(String policy, Method method, String mistake) {
		this(policy, "Policy '" + policy + "' cannot charge " + MethodName.of(method) + ": " + mistake);
	}

	InvalidCostException(String policy, String message) {
		super(message);
		this.policy = policy;
	}

	/**
	 * The policy that cannot charge the call.
	 * @return its name
	 */
	public String getPolicy() {
		return this.policy;
	}

	@Override
	public final Throwable fillInStackTrace() {
		return this;
	}

}

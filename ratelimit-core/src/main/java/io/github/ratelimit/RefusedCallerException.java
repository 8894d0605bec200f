package io.github.ratelimit;

/**
 * A call was refused for who its caller is. Nothing was charged, and no store was asked.
 * It is not a denial for want of permits: no wait would help. It carries no stack trace,
 * as it tells of the caller and not of the code.
 */
public abstract class RefusedCallerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String policy;

	RefusedCallerException(String policy, String message) {
		super(message, null, false, false);
		this.policy = policy;
	}

	/**
	 * The policy that refused the caller.
	 * @return its name
	 */
	public String getPolicy() {
		return this.policy;
	}

}

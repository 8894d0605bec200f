package io.github.ratelimit;

/**
 * A call costs more than a policy can ever admit, so that no wait would help. Nothing was
 * charged. It is a mistake of the caller's, not a denial: repeating the call is
 * pointless.
 */
public class UnsatisfiableCostException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String policy;

	UnsatisfiableCostException(String policy, long most, String which, long cost) {
		super("'cost' must be at most " + most + ", " + which + " in policy '" + policy + "', was " + cost);
		this.policy = policy;
	}

	/**
	 * The policy that can never admit the call.
	 * @return its name
	 */
	public String getPolicy() {
		return this.policy;
	}

}

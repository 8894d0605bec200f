package io.github.ratelimit;

import io.github.ratelimit.algorithm.Limit;

/**
 * A call costs more than a limit can ever admit, so that no wait would help. Nothing was
 * charged. It is a mistake of the caller's, not a denial: repeating the call is
 * pointless.
 */
public class UnsatisfiableCostException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String policy;

	UnsatisfiableCostException(Charge charge, Limit limit) {
		super("'cost' must be at most " + limit.burst() + ", the burst of limit " + limit + " in policy '"
				+ charge.policy() + "', was " + charge.cost());
		this.policy = charge.policy();
	}

	/**
	 * The policy that can never admit the call.
	 * @return its name
	 */
	public String getPolicy() {
		return this.policy;
	}

}

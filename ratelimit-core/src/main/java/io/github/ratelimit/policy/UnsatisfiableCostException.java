package io.github.ratelimit.policy;

import org.jspecify.annotations.Nullable;

/**
 * An exception thrown if a call costs more than a policy can ever admit, so that no wait
 * would help. Nothing was charged.
 */
public class UnsatisfiableCostException extends InvalidCostException {

	private static final long serialVersionUID = 1L;

	UnsatisfiableCostException(String policy, long most, String which, long cost) {
		this(policy, false, "'cost' must be at most " + most + ", " + which + " in policy '" + policy + "', was " + cost
				+ ((cost == Long.MAX_VALUE) ? " or more" : ""));
	}

	private UnsatisfiableCostException(String policy, boolean hidden, @Nullable String message) {
		super(policy, hidden, message);
	}

	@Override
	public UnsatisfiableCostException withPolicyHidden() {
		return new UnsatisfiableCostException(getPolicy(), true, getMessage());
	}

}

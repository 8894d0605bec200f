package io.github.ratelimit.spring.client;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.decision.Decision;

/**
 * An exception for an outbound call that was not made: its upstream has responded to an
 * earlier one with 429 and a time that is longer than the call may wait. Nothing was
 * charged. The decision has the policy and the time until the upstream may be called
 * again.
 */
public final class UpstreamPausedException extends RateLimitExceededException {

	private static final long serialVersionUID = 1L;

	/** The policy's name. */
	private final String policy;

	UpstreamPausedException(String policy, Decision decision) {
		super(decision);
		this.policy = policy;
	}

	@Override
	protected String describe() {
		return "The upstream of policy '" + this.policy + "' asked not to be called for another " + retryAfterSeconds()
				+ " s";
	}

}

package io.github.ratelimit.spring.client;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.algorithm.Decision;

/**
 * An outbound call was not made, as its upstream answered an earlier one with 429 and
 * asked to be left alone for longer than the call may wait. Nothing was charged. The
 * decision names the policy, and how long until the upstream may be called again.
 */
public final class UpstreamHoldException extends RateLimitExceededException {

	private static final long serialVersionUID = 1L;

	private final String policy;

	UpstreamHoldException(String policy, Decision decision) {
		super(decision);
		this.policy = policy;
	}

	@Override
	protected String describe() {
		return "The upstream of policy '" + this.policy + "' asked not to be called for another " + retryAfterSeconds()
				+ " s";
	}

}

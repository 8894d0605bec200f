package io.github.ratelimit.spring.client;

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;

import org.springframework.util.StringUtils;

/** The policy of the calls of a client. */
final class OutboundPolicy {

	private final String name;

	private final Policies policies;

	private final UpstreamPauses pauses;

	OutboundPolicy(String name, Policies policies, UpstreamPauses pauses) {
		this.name = name;
		this.policies = policies;
		this.pauses = pauses;
		requireKnown();
	}

	/**
	 * Starts a call; the time that it may wait counts from now. Calls without a key are
	 * charged together.
	 */
	OutboundCall call(String key, long cost) {
		return new OutboundCall(policy(), StringUtils.hasText(key) ? key : Policy.EVERYONE, cost, this.pauses);
	}

	private Policy policy() {
		return this.policies.get(this.name);
	}

	private void requireKnown() {
		try {
			policy();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException("Outbound calls cannot be limited: " + ex.getMessage(),
					"Correct the name, or configure 'ratelimit.policies." + this.name + "'.", ex);
		}
	}

}

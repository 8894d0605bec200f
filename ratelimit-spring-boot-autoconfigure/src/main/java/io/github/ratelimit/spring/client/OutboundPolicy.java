package io.github.ratelimit.spring.client;

import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.Policies;
import io.github.ratelimit.Policy;

/**
 * The policy that a client's calls are kept under.
 */
final class OutboundPolicy {

	private final String name;

	private final Policies policies;

	private final Upstreams upstreams;

	OutboundPolicy(String name, Policies policies, Upstreams upstreams) {
		this.name = name;
		this.policies = policies;
		this.upstreams = upstreams;
		requireKnown();
	}

	/** Begins a call; how long it may wait counts from now on. */
	OutboundCall call(String key) {
		return new OutboundCall(policy(), key, this.upstreams);
	}

	private Policy policy() {
		return this.policies.get(this.name);
	}

	private void requireKnown() {
		try {
			policy();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitException("Outbound calls cannot be limited: " + ex.getMessage(),
					"Correct the name, or configure 'ratelimit.policies." + this.name + "'.", ex);
		}
	}

}

package io.github.ratelimit.algorithm;

import java.util.List;

/**
 * The answer of one limit, in a single object of 64 bytes: what most calls come to.
 */
final class SingleDecision extends Decision {

	private final String policy;

	private final Limit limit;

	private final long remaining;

	private final long resetAfter;

	/** How long to wait, or less than 0 by how long until the cost fits. */
	private final long wait;

	SingleDecision(long storeTime, LimitDecision said) {
		super(storeTime);
		this.policy = said.policy();
		this.limit = said.limit();
		this.remaining = said.remaining();
		this.resetAfter = said.resetAfterMicros();
		this.wait = said.allowed() ? said.waitMicros() : -said.retryAfterMicros();
	}

	@Override
	public List<LimitDecision> limits() {
		return List.of(new LimitDecision(this.policy, this.limit, this.remaining, retryAfterMicros(), this.resetAfter,
				waitMicros()));
	}

	@Override
	public boolean allowed() {
		return this.wait >= 0;
	}

	@Override
	public long retryAfterMicros() {
		return Math.max(0, -this.wait);
	}

	@Override
	public long waitMicros() {
		return Math.max(0, this.wait);
	}

}

package io.github.ratelimit.spring.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.Policy;

/**
 * An exception for an outbound call that was not made: its upstream is paused for longer
 * than the call may wait, as it has responded to an earlier one with 429 or 503, or as an
 * operator has paused it. Nothing was charged. The decision has the policy and the time
 * until the upstream may be called again.
 */
public final class UpstreamPausedException extends RateLimitExceededException {

	private static final long serialVersionUID = 1L;

	/** The policy's name. */
	private final String policy;

	private UpstreamPausedException(String policy, Decision decision) {
		super(decision);
		this.policy = policy;
	}

	/** Returns the exception for a call under a policy whose upstream is paused. */
	static UpstreamPausedException of(Policy policy, Duration pause, Instant now) {
		boolean hidden = policy.options().hidden();
		long micros = TimeUnit.NANOSECONDS.toMicros(pause.toNanos() + 999);
		List<LimitDecision> limits = policy.limits()
			.stream()
			.map((limit) -> new LimitDecision(policy.name(), Policy.EVERYONE, limit, 0, micros, micros, 0, hidden))
			.toList();
		return new UpstreamPausedException(policy.name(),
				Decision.of(TimeUnit.MILLISECONDS.toMicros(now.toEpochMilli()), limits));
	}

	@Override
	protected String describe() {
		return "The upstream of policy '" + this.policy + "' is paused for another " + retryAfterSeconds() + " s";
	}

}

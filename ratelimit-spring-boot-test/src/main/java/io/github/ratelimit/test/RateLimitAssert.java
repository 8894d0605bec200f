package io.github.ratelimit.test;

import java.time.Duration;

import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on a call that a limit may deny.
 */
public final class RateLimitAssert extends AbstractAssert<RateLimitAssert, Object> {

	private final ClientResult result;

	RateLimitAssert(ClientResult result) {
		super(result, RateLimitAssert.class);
		this.result = result;
	}

	/**
	 * Verifies that a limit denied the call: by status 429, or by a
	 * {@code RateLimitExceededException}.
	 * @return this
	 */
	public RateLimitAssert isRateLimited() {
		if (!this.result.limited()) {
			failWithMessage("Expected the call to be rate limited, but there was %s", this.result.description());
		}
		return this;
	}

	/**
	 * Verifies that a policy is among those that denied the call, as the client is told
	 * by {@code violated-policies} of the problem or else by the header
	 * {@code RateLimit}.
	 * @param policy the policy's name
	 * @return this
	 */
	public RateLimitAssert by(String policy) {
		isRateLimited();
		if (!this.result.policies().contains(policy)) {
			failWithMessage("Expected the call to be rate limited by '%s', but it was by %s", policy,
					this.result.policies());
		}
		return this;
	}

	/**
	 * Verifies the time after which the client is to retry.
	 * @param duration whole seconds, with a unit, such as {@code 6s} or {@code 1m}
	 * @return this
	 */
	public RateLimitAssert retryAfter(String duration) {
		isRateLimited();
		Duration expected = Durations.parse(duration);
		if (!expected.equals(this.result.retryAfter())) {
			Duration actual = this.result.retryAfter();
			failWithMessage("Expected the call to be worth a retry after %ss, but %s", expected.toSeconds(),
					(actual != null) ? "it was after " + actual.toSeconds() + "s" : "there was no Retry-After");
		}
		return this;
	}

}

package io.github.ratelimit.test;

import java.util.function.UnaryOperator;

import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.ResultMatcher;

/**
 * A matcher of MockMvc for calls that a limit denied.
 */
public final class RateLimitResultMatcher implements ResultMatcher {

	private final UnaryOperator<RateLimitAssert> expectation;

	RateLimitResultMatcher(UnaryOperator<RateLimitAssert> expectation) {
		this.expectation = expectation;
	}

	/**
	 * Returns a matcher that also expects a policy, as {@link RateLimitAssert#by} does.
	 * @param policy the policy's name
	 * @return the matcher
	 */
	public RateLimitResultMatcher by(String policy) {
		return and((call) -> call.by(policy));
	}

	/**
	 * Returns a matcher that also expects a time to retry, as
	 * {@link RateLimitAssert#retryAfter} does.
	 * @param duration whole seconds, with a unit, such as {@code 6s} or {@code 1m}
	 * @return the matcher
	 */
	public RateLimitResultMatcher retryAfter(String duration) {
		return and((call) -> call.retryAfter(duration));
	}

	private RateLimitResultMatcher and(UnaryOperator<RateLimitAssert> further) {
		return new RateLimitResultMatcher((call) -> further.apply(this.expectation.apply(call)));
	}

	@Override
	public void match(MvcResult result) throws Exception {
		this.expectation.apply(new RateLimitAssert(MvcResults.of(result)));
	}

}

package io.github.ratelimit.test;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.ResultMatcher;

/**
 * A matcher of MockMvc for calls that a limit denied.
 */
public final class RateLimitResultMatcher implements ResultMatcher {

	private final Consumer<RateLimitAssert> expectation;

	RateLimitResultMatcher(Consumer<RateLimitAssert> expectation) {
		this.expectation = expectation;
	}

	/**
	 * Returns a matcher that also expects a policy, as {@link RateLimitAssert#by} does.
	 * @param policy the policy's name
	 * @return the matcher
	 */
	public RateLimitResultMatcher by(String policy) {
		return new RateLimitResultMatcher(this.expectation.andThen((call) -> call.by(policy)));
	}

	/**
	 * Returns a matcher that also expects a time to retry, as
	 * {@link RateLimitAssert#retryAfter} does.
	 * @param duration whole seconds, with a unit, such as {@code 6s} or {@code 1m}
	 * @return the matcher
	 */
	public RateLimitResultMatcher retryAfter(String duration) {
		return new RateLimitResultMatcher(this.expectation.andThen((call) -> call.retryAfter(duration)));
	}

	@Override
	public void match(MvcResult result) throws Exception {
		this.expectation.accept(assertThat(result));
	}

	/** Creates assertions on a result of MockMvc. */
	static RateLimitAssert assertThat(MvcResult result) {
		MockHttpServletResponse response = result.getResponse();
		return new RateLimitAssert(ClientResult.of(response.getStatus(), response::getHeader,
				new String(response.getContentAsByteArray(), StandardCharsets.UTF_8)));
	}

}

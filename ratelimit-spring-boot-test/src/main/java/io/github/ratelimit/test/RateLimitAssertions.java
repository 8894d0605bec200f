package io.github.ratelimit.test;

import java.nio.charset.StandardCharsets;

import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * The entry to assertions on calls that a limit denies, whatever sends them.
 */
public final class RateLimitAssertions {

	private RateLimitAssertions() {
	}

	/**
	 * Creates assertions on a request of {@code MockMvcTester}, which is sent.
	 * @param request the request
	 * @return the assertions
	 */
	public static RateLimitAssert assertThatCall(MockMvcRequestBuilder request) {
		return assertThatCall(request.exchange());
	}

	/**
	 * Creates assertions on a result of {@code MockMvcTester}.
	 * @param result the result
	 * @return the assertions
	 */
	public static RateLimitAssert assertThatCall(MvcTestResult result) {
		return RateLimitResultMatcher.assertThat(result.getMvcResult());
	}

	/**
	 * Creates assertions on a response to a {@code WebTestClient}, whose body is read.
	 * @param response the response
	 * @return the assertions
	 */
	public static RateLimitAssert assertThatCall(WebTestClient.ResponseSpec response) {
		var result = response.expectBody().returnResult();
		return of(result.getStatus(), result.getResponseHeaders(), result.getResponseBodyContent());
	}

	/**
	 * Creates assertions on a response to a {@code RestTestClient}, whose body is read.
	 * @param response the response
	 * @return the assertions
	 */
	public static RateLimitAssert assertThatCall(RestTestClient.ResponseSpec response) {
		var result = response.expectBody().returnResult();
		return of(result.getStatus(), result.getResponseHeaders(), result.getResponseBodyContent());
	}

	/**
	 * Creates assertions on a call of a method, which is made.
	 * @param call the call, whose denial is a {@code RateLimitExceededException} or
	 * caused by one
	 * @return the assertions
	 */
	public static RateLimitAssert assertThatCall(ThrowingCallable call) {
		return new RateLimitAssert(ClientResult.of(Assertions.catchThrowable(call)));
	}

	/**
	 * Returns a matcher for {@code MockMvc}: {@code andExpect(isRateLimited().by(...))}.
	 * @return a matcher of calls that a limit denied
	 */
	public static RateLimitResultMatcher isRateLimited() {
		return new RateLimitResultMatcher(RateLimitAssert::isRateLimited);
	}

	private static RateLimitAssert of(HttpStatusCode status, HttpHeaders headers, byte @Nullable [] body) {
		return new RateLimitAssert(ClientResult.of(status.value(), headers::getFirst,
				(body != null) ? new String(body, StandardCharsets.UTF_8) : ""));
	}

}

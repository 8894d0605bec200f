package io.github.ratelimit.spring.web.servlet;

import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.RequestCharges;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;

class ServletRequestsTests {

	private static final Decision DECISION = Decision.of(0, List
		.of(new LimitDecision("one", "key", Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1/1s")), 0, 0, 1_000_000, 0)));

	private final ServletRequests requests = new ServletRequests(RateLimitHeaders.DRAFT_11, (request) -> Caller.NONE);

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	@AfterEach
	void unbind() {
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void returnsTheChargesOfTheRequestThatTheThreadServes() {
		MockHttpServletRequest request = new MockHttpServletRequest();
		RequestCharges charges = this.requests.of(request, this.response).charges();
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
		assertThat(this.requests.current()).isSameAs(charges)
			.isSameAs(this.requests.of(request, this.response).charges());
	}

	@Test
	void returnsNoChargesOnceTheRequestIsOver() {
		MockHttpServletRequest over = new MockHttpServletRequest() {

			@Override
			public Object getAttribute(String name) {
				throw new IllegalStateException("recycled");
			}

		};
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(over));
		assertThat(this.requests.current().exists()).isFalse();
	}

	@Test
	void leavesACommittedResponseAlone() {
		RequestCharges charges = this.requests.of(new MockHttpServletRequest(), this.response).charges();
		this.response.setCommitted(true);
		charges.addDecision(DECISION);
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	@Test
	void setsHeadersAtOnce() {
		this.requests.of(new MockHttpServletRequest(), this.response).charges().addDecision(DECISION);
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"one\";r=0;t=1");
	}

}

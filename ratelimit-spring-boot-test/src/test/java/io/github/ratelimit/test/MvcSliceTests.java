package io.github.ratelimit.test;

import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.QuoteController;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static io.github.ratelimit.test.RateLimitAssertions.isRateLimited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

@WebMvcTest(QuoteController.class)
@ContextConfiguration(classes = QuoteApplication.class)
@AutoConfigureRateLimits
class MvcSliceTests {

	private static final String LOCALHOST = "client-ip:127.0.0.1";

	@Autowired
	MockMvcTester mvc;

	@Autowired
	MockMvc mockMvc;

	@Autowired
	TestRateLimits limits;

	@RepeatedTest(2)
	void startsEachTestWithAllPermits() {
		for (int call = 0; call < 10; call++) {
			assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
		}
		assertThatCall(this.mvc.get().uri("/quotes")).isRateLimited().by("quotes").retryAfter("6s");
	}

	@RepeatedTest(2)
	void startsEachTestAtTheSameTime() {
		assertThat(this.limits.elapsed()).isZero();
		this.limits.advance("36h");
		assertThat(this.limits.elapsed()).hasHours(36);
	}

	@Test
	void exhaustsAKeyAlone() {
		this.limits.exhaust("quotes", LOCALHOST);
		assertThatCall(this.mvc.get().uri("/quotes")).isRateLimited().by("quotes");
		assertThat(this.mvc.get().uri("/quotes").with((request) -> {
			request.setRemoteAddr("192.0.2.1");
			return request;
		})).hasStatusOk();
	}

	@Test
	void exhaustsAJoinedKeyAlone() {
		this.limits.exhaust("routes", LOCALHOST + " + route:GET /routed/{id}");
		assertThatCall(this.mvc.get().uri("/routed/1")).isRateLimited().by("routes");
		assertThat(this.mvc.get().uri("/other/1")).hasStatusOk();
		assertThatIllegalArgumentException().isThrownBy(() -> this.limits.exhaust("routes", LOCALHOST))
			.withMessageContaining("is written as client-ip:... + route:...");
	}

	@Test
	void admitsAsTheClockMoves() {
		this.limits.exhaust("quotes", LOCALHOST);
		this.limits.advance("5s");
		assertThatCall(this.mvc.get().uri("/quotes")).isRateLimited().retryAfter("1s");
		this.limits.advance("1s");
		assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
	}

	@Test
	void matchesInMockMvc() throws Exception {
		this.mockMvc.perform(get("/quotes")).andExpect(status().isOk());
		this.limits.exhaust("quotes", LOCALHOST);
		this.mockMvc.perform(get("/quotes")).andExpect(isRateLimited().by("quotes").retryAfter("6s"));
	}

	@Test
	void appliesRules(@Autowired TestRateLimits limits) {
		limits.exhaust("search", LOCALHOST);
		assertThatCall(this.mvc.get().uri("/search")).isRateLimited().by("search").retryAfter("30s");
	}

	@Test
	void resetsOneKeyOrAll() {
		this.limits.exhaust("quotes", LOCALHOST);
		this.limits.exhaust("search", LOCALHOST);
		this.limits.reset("quotes", LOCALHOST);
		assertThat(this.limits.remaining("quotes", LOCALHOST)).isEqualTo(10);
		assertThat(this.limits.remaining("search", LOCALHOST)).isZero();
		this.limits.reset();
		assertThat(this.limits.remaining("search", LOCALHOST)).isEqualTo(2);
	}

	@Test
	void exhaustsAPlan() {
		this.limits.exhaust("tenants", "header:x-tenant:acme", "premium");
		assertThat(this.limits.remaining("tenants", "header:x-tenant:acme", "premium")).isZero();
		var request = this.mvc.get().uri("/tenant").header("X-Tenant", "acme").header("X-Plan", "premium");
		assertThatCall(request).isRateLimited().by("tenants");
	}

	@Test
	@WithoutRateLimits
	void isNotLimitedOnRequest() {
		this.limits.exhaust("quotes", LOCALHOST);
		assertThat(this.mvc.get().uri("/quotes")).hasStatusOk().doesNotContainHeader("RateLimit");
	}

	@Nested
	@WithoutRateLimits
	class Without {

		@Test
		void isNotLimited() {
			MvcSliceTests.this.limits.exhaust("quotes", LOCALHOST);
			assertThat(MvcSliceTests.this.mvc.get().uri("/quotes")).hasStatusOk();
		}

		@Nested
		class Inherited {

			@Test
			void isNotLimited() {
				MvcSliceTests.this.limits.exhaust("quotes", LOCALHOST);
				assertThat(MvcSliceTests.this.mvc.get().uri("/quotes")).hasStatusOk();
			}

		}

		@Nested
		@AutoConfigureRateLimits
		class Overridden {

			@Test
			void isLimited() {
				MvcSliceTests.this.limits.exhaust("quotes", LOCALHOST);
				assertThatCall(MvcSliceTests.this.mvc.get().uri("/quotes")).isRateLimited();
			}

		}

	}

}

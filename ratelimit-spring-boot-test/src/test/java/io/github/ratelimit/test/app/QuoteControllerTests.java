package io.github.ratelimit.test.app;

import io.github.ratelimit.test.AutoConfigureRateLimits;
import io.github.ratelimit.test.TestRateLimits;
import io.github.ratelimit.test.WithoutRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static io.github.ratelimit.test.RateLimitAssertions.isRateLimited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

@WebMvcTest(QuoteController.class)
@AutoConfigureRateLimits
class QuoteControllerTests {

	@Autowired
	MockMvcTester mvc;

	@Autowired
	TestRateLimits limits;

	@Test
	void deniesTheEleventhCallOfAMinute() {
		for (int call = 0; call < 10; call++) {
			assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
		}
		assertThatCall(this.mvc.get().uri("/quotes")).isRateLimited().by("quotes").retryAfter("6s");
	}

	@Test
	void admitsAnotherCallAfterSixSeconds() {
		this.limits.exhaust("quotes", "client-ip:127.0.0.1");
		this.limits.advance("6s");
		assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
	}

	@Test
	void deniesInMockMvc(@Autowired MockMvc mockMvc) throws Exception {
		this.limits.exhaust("quotes", "client-ip:127.0.0.1");
		mockMvc.perform(get("/quotes")).andExpect(isRateLimited().by("quotes").retryAfter("6s"));
	}

	@Test
	@WithoutRateLimits
	void answersManyCalls() {
		for (int call = 0; call < 100; call++) {
			assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
		}
	}

}

package io.github.ratelimit.test.app;

import io.github.ratelimit.test.AutoConfigureRateLimits;
import io.github.ratelimit.test.TestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.test.web.reactive.server.WebTestClient;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;

@WebFluxTest(QuoteController.class)
@AutoConfigureRateLimits
class ReactiveQuoteControllerTests {

	@Autowired
	WebTestClient client;

	@Autowired
	TestRateLimits limits;

	@Test
	void deniesTheNextCall() {
		this.limits.exhaust("quotes", "client-ip:127.0.0.1");
		assertThatCall(this.client.get().uri("/later").exchange()).isRateLimited().by("quotes").retryAfter("6s");
	}

}

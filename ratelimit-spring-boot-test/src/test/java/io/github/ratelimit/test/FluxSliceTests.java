package io.github.ratelimit.test;

import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.QuoteController;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.reactive.server.WebTestClient;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;

@WebFluxTest(QuoteController.class)
@ContextConfiguration(classes = QuoteApplication.class)
@AutoConfigureRateLimits
class FluxSliceTests {

	@Autowired
	WebTestClient client;

	@Autowired
	TestRateLimits limits;

	@RepeatedTest(2)
	void startsEachTestWithAllPermits() {
		for (int call = 0; call < 10; call++) {
			this.client.get().uri("/later").exchange().expectStatus().isOk();
		}
		assertThatCall(this.client.get().uri("/later").exchange()).isRateLimited().by("quotes").retryAfter("6s");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/quotes", "/later" })
	void exhaustsTheAddressOfTheClient(String path) {
		this.limits.exhaust("quotes", "client-ip:127.0.0.1");
		assertThatCall(this.client.get().uri(path).exchange()).isRateLimited().by("quotes");
		this.limits.advance("6s");
		this.client.get().uri(path).exchange().expectStatus().isOk();
	}

	@RepeatedTest(1)
	void exhaustsAJoinedKeyAlone() {
		this.limits.exhaust("routes", "client-ip:127.0.0.1 + route:GET /routed/{id}");
		assertThatCall(this.client.get().uri("/routed/1").exchange()).isRateLimited().by("routes");
		this.client.get().uri("/other/1").exchange().expectStatus().isOk();
	}

	@RepeatedTest(1)
	void appliesRules() {
		this.limits.exhaust("search", "client-ip:127.0.0.1");
		assertThatCall(this.client.get().uri("/search").exchange()).isRateLimited().by("search").retryAfter("30s");
	}

}

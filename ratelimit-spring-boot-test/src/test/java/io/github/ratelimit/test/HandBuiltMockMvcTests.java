package io.github.ratelimit.test;

import jakarta.servlet.Filter;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.spring.web.servlet.RateLimitFilter;
import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.QuoteController;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits where a test builds its MockMvc itself.
 */
@SpringBootTest(classes = QuoteApplication.class, properties = "spring.main.web-application-type=servlet")
@AutoConfigureRateLimits
class HandBuiltMockMvcTests {

	private static final String LOCALHOST = "client-ip:127.0.0.1";

	@Autowired
	WebApplicationContext context;

	@Autowired
	QuoteController controller;

	@Autowired
	TestRateLimits limits;

	@Nullable MockMvc mvc;

	@BeforeEach
	void exhaust() {
		this.limits.exhaust("quotes", LOCALHOST);
		this.limits.exhaust("search", LOCALHOST);
	}

	@Test
	void aStandaloneOneHasNoHandlerOfDenialsAndNoRules() {
		MockMvcTester client = MockMvcTester.create(MockMvcBuilders.standaloneSetup(this.controller).build());
		assertThat(client.get().uri("/quotes")).hasFailed()
			.failure()
			.hasCauseInstanceOf(RateLimitExceededException.class);
		assertThat(client.get().uri("/search")).hasStatusOk();
	}

	@Test
	void aStandaloneOneOfANewControllerHasNoLimits() {
		MockMvcTester client = MockMvcTester.create(MockMvcBuilders.standaloneSetup(new QuoteController()).build());
		assertThat(client.get().uri("/quotes")).hasStatusOk();
	}

	@Test
	void aStandaloneOneHasTheLimitsThatItIsGiven() {
		this.mvc = MockMvcBuilders.standaloneSetup(this.controller)
			.setControllerAdvice(this.context.getBean(RateLimitExceptionHandler.class))
			.addFilters(this.context.getBeansOfType(RateLimitFilter.class).values().toArray(Filter[]::new))
			.build();
		MockMvcTester client = MockMvcTester.create(this.mvc);
		assertThatCall(client.get().uri("/quotes")).isRateLimited().by("quotes").retryAfter("6s");
		assertThatCall(client.get().uri("/search")).isRateLimited().by("search").retryAfter("30s");
	}

	@Test
	void oneOfTheContextHasNoRules() {
		MockMvcTester client = MockMvcTester.create(MockMvcBuilders.webAppContextSetup(this.context).build());
		assertThatCall(client.get().uri("/quotes")).isRateLimited().by("quotes").retryAfter("6s");
		assertThat(client.get().uri("/search")).hasStatusOk();
	}

}

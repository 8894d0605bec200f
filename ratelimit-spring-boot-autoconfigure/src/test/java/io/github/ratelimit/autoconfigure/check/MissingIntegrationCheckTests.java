package io.github.ratelimit.autoconfigure.check;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Test;

import org.springframework.messaging.simp.annotation.SubscribeMapping;

import static org.assertj.core.api.Assertions.assertThat;

class MissingIntegrationCheckTests {

	@Test
	void findsHandlersOfTechnologiesWithoutTheirIntegration() {
		RateLimitContext.inMemory()
			.withPropertyValues("ratelimit.policies.x.limits=5/1m")
			.withBean(Handler.class)
			.run((context) -> assertThat(context.getBean(Findings.class).all()).extracting(Finding::message)
				.containsExactly(
						"Handler.handle() is called by STOMP, but 'ratelimit-spring-integrations' is not on the class "
								+ "path, so its callers are unknown and a denial is a mere exception. Add that module, or "
								+ "'ratelimit-spring-boot-starter', which contains it."));
	}

	static class Handler {

		@RateLimited("x")
		@SubscribeMapping("quotes")
		void handle() {
		}

		@RateLimited("x")
		void called() {
		}

	}

}

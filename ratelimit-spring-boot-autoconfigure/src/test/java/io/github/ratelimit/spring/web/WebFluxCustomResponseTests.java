package io.github.ratelimit.spring.web;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Customized responses of WebFlux.
 */
@Tag("long")
class WebFluxCustomResponseTests extends CustomResponseContract<ReactiveWebApplicationContextRunner> {

	WebFluxCustomResponseTests() {
		super(MockedServer.REACTIVE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/thread", "/ruled-thread" })
	void servesNoRequestOnAThreadOfTheStore(String path) {
		with(this.context
			.withPropertyValues("ratelimit.rules[1].paths=/ruled-thread", "ratelimit.rules[1].policies=one")
			.withBean(Threads.class)
			.withBean(RateLimitStore.class, () -> new TestStore().decideLater()), (client) -> {
				assertThat(client.get(path).body()).isNotBlank().isNotEqualTo(TestStore.THREAD);
				assertThat(client.get(path).status()).isEqualTo(429);
			});
	}

	@RestController
	static class Threads {

		@GetMapping("/thread")
		@RateLimited("one")
		String thread() {
			return Thread.currentThread().getName();
		}

		@GetMapping("/ruled-thread")
		String ruled() {
			return Thread.currentThread().getName();
		}

	}

}

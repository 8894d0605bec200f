package io.github.ratelimit.spring.web;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Rules on WebFlux next to methods that are decided when they are called.
 */
class WebFluxRuleTests {

	@ParameterizedTest
	@ValueSource(strings = { "/value", "/stage", "/mono" })
	void denyBeforeTheMethodIsCalled(String path) {
		new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(RateLimitContext.WEBFLUX)
			.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.roomy.limits=9/1h",
					"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=one")
			.withBean(Controller.class)
			.run((context) -> {
				WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
				client.get().uri(path + "?name=a").exchange().expectStatus().isOk();
				client.get().uri(path + "?name=b").exchange().expectStatus().isEqualTo(429);
			});
	}

	@RestController
	@RateLimited(policy = "roomy", key = "#name")
	static class Controller {

		@GetMapping("/value")
		String value(@RequestParam String name) {
			return name;
		}

		@GetMapping("/stage")
		CompletableFuture<String> stage(@RequestParam String name) {
			return CompletableFuture.completedFuture(name);
		}

		@GetMapping("/mono")
		Mono<String> mono(@RequestParam String name) {
			return Mono.just(name);
		}

	}

}

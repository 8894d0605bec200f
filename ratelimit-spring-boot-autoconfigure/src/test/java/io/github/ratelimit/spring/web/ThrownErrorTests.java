package io.github.ratelimit.spring.web;

import java.time.Duration;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests with reactive calls that end with an error of the JVM, which Reactor throws
 * instead of signalling it.
 */
class ThrownErrorTests {

	private final ReactiveWebApplicationContextRunner application = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(RateLimitContext.WEBFLUX)
		.withPropertyValues("ratelimit.policies.one.limits=1 concurrent", "ratelimit.rules[0].paths=/ruled",
				"ratelimit.rules[0].policies=one")
		.withBean(Controller.class)
		.withBean(Service.class);

	@ParameterizedTest
	@ValueSource(strings = { "/ruled", "/limited", "/stream" })
	void releasesThePermitOfARequest(String path) {
		this.application.run((context) -> {
			assertThatTheErrorIsThrown(() -> get(path, context));
			assertThatTheErrorIsThrown(() -> get(path, context));
		});
	}

	@Test
	void releasesThePermitOfACall() {
		this.application.run((context) -> {
			Service service = context.getBean(Service.class);
			assertThatTheErrorIsThrown(() -> service.one().block(Duration.ofSeconds(2)));
			assertThatTheErrorIsThrown(() -> service.many().blockLast(Duration.ofSeconds(2)));
			assertThatTheErrorIsThrown(() -> service.one().block(Duration.ofSeconds(2)));
		});
	}

	private static void assertThatTheErrorIsThrown(ThrowingCallable call) {
		assertThatThrownBy(call).isInstanceOf(NoClassDefFoundError.class).hasMessage("com/example/Missing");
	}

	private static void get(String path, ApplicationContext context) {
		context.getBean(HttpHandler.class)
			.handle(MockServerHttpRequest.get(path).build(), new MockServerHttpResponse())
			.block(Duration.ofSeconds(2));
	}

	private static NoClassDefFoundError error() {
		return new NoClassDefFoundError("com/example/Missing");
	}

	@RestController
	static class Controller {

		@GetMapping("/ruled")
		Mono<String> ruled() {
			return Mono.error(error());
		}

		@GetMapping("/limited")
		@RateLimited("one")
		Mono<String> limited() {
			throw error();
		}

		@GetMapping("/stream")
		@RateLimited("one")
		Flux<String> stream() {
			return Flux.just("first").map((first) -> {
				throw error();
			});
		}

	}

	static class Service {

		@RateLimited("one")
		public Mono<String> one() {
			throw error();
		}

		@RateLimited("one")
		public Flux<String> many() {
			return Flux.just("first").map((first) -> {
				throw error();
			});
		}

	}

}

package io.github.ratelimit.spring.web;

import java.security.Principal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with callers whose authentication fails with an error of the JVM, which Reactor
 * throws where an operator signals it again.
 */
class PrincipalErrorTests {

	@ParameterizedTest
	@CsvSource({ "/ruled,0", "/ruled,50", "/limited,0", "/limited,50", "/joined,0", "/joined,50" })
	void answersARequestWhoseAuthenticationFailsWithAnErrorOfTheJvm(String path, long millis) {
		new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(RateLimitContext.WEBFLUX)
			.withPropertyValues("ratelimit.policies.roomy.limits=9/1h", "ratelimit.rules[0].paths=/ruled,/joined",
					"ratelimit.rules[0].policies=roomy")
			.withBean(Controller.class)
			.withBean(Authentication.class, () -> new Authentication(millis))
			.run((context) -> {
				MockServerHttpResponse response = new MockServerHttpResponse();
				context.getBean(HttpHandler.class)
					.handle(MockServerHttpRequest.get(path).build(), response)
					.block(Duration.ofSeconds(2));
				assertThat(response.getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
			});
	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	record Authentication(long millis) implements WebFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			CompletableFuture<Principal> user = new CompletableFuture<>();
			Error error = new NoClassDefFoundError("com/example/Missing");
			if (this.millis == 0) {
				user.completeExceptionally(error);
			}
			else {
				CompletableFuture.delayedExecutor(this.millis, TimeUnit.MILLISECONDS)
					.execute(() -> user.completeExceptionally(error));
			}
			return chain.filter(exchange.mutate().principal(Mono.fromFuture(user)).build());
		}

	}

	@RestController
	static class Controller {

		@GetMapping("/ruled")
		String ruled() {
			return "ok";
		}

		@GetMapping({ "/limited", "/joined" })
		@RateLimited("roomy")
		String limited() {
			return "ok";
		}

	}

}

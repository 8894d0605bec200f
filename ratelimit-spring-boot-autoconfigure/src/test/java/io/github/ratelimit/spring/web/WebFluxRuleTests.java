package io.github.ratelimit.spring.web;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

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

	@Test
	void reportWhatAFilterBeforeThemHasChargedToo() {
		new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(RateLimitContext.WEBFLUX)
			.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.roomy.limits=9/1h",
					"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=one")
			.withBean(Audit.class)
			.withBean(AuditFilter.class)
			.run((context) -> WebTestClient.bindToApplicationContext(context)
				.build()
				.get()
				.uri("/")
				.exchange()
				.expectHeader()
				.value("RateLimit", (value) -> assertThat(value).contains("\"roomy\";r=8", "\"one\";r=0")));
	}

	static class Audit {

		@RateLimited("roomy")
		public Mono<String> record() {
			return Mono.just("recorded");
		}

	}

	static final class AuditFilter implements WebFilter, Ordered {

		private final ObjectProvider<Audit> audit;

		AuditFilter(ObjectProvider<Audit> audit) {
			this.audit = audit;
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			return Mono.defer(() -> this.audit.getObject().record())
				.then(chain.filter(exchange))
				.contextWrite(
						(context) -> context.put(ServerWebExchangeContextFilter.EXCHANGE_CONTEXT_ATTRIBUTE, exchange));
		}

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

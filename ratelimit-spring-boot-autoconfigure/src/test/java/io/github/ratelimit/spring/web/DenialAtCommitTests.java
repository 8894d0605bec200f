package io.github.ratelimit.spring.web;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with denials whose headers a filter of the application changes when the response
 * is committed.
 */
class DenialAtCommitTests {

	@Test
	void replacesHeadersOfOthers() {
		HttpHeaders headers = denialWith((sent) -> {
			sent.add("RateLimit", "\"upstream\";r=1");
			sent.add("RateLimit-Limit", "99");
		});
		assertThat(headers.get("RateLimit")).singleElement().asString().startsWith("\"few\";r=0;");
		assertThat(headers.containsHeader("RateLimit-Limit")).isFalse();
	}

	@Test
	void reportsAgainWhatOthersRemove() {
		HttpHeaders headers = denialWith((sent) -> sent.remove("RateLimit"));
		assertThat(headers.getFirst("RateLimit")).startsWith("\"few\";r=0;");
	}

	private static HttpHeaders denialWith(Consumer<HttpHeaders> change) {
		HttpHeaders headers = new HttpHeaders();
		new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(RateLimitContext.WEBFLUX)
			.withPropertyValues("ratelimit.policies.few.limits=1/1h", "ratelimit.rules[0].paths=/**",
					"ratelimit.rules[0].policies=few")
			.withBean(ChangingFilter.class, () -> new ChangingFilter(change))
			.run((context) -> {
				HttpHandler server = context.getBean(HttpHandler.class);
				get(server);
				MockServerHttpResponse denied = get(server);
				assertThat(denied.getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
				headers.addAll(denied.getHeaders());
			});
		return headers;
	}

	private static MockServerHttpResponse get(HttpHandler server) {
		MockServerHttpResponse response = new MockServerHttpResponse();
		server.handle(MockServerHttpRequest.get("/").build(), response).block(Duration.ofSeconds(2));
		return response;
	}

	private record ChangingFilter(Consumer<HttpHeaders> change) implements WebFilter, Ordered {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			exchange.getResponse()
				.beforeCommit(() -> Mono.fromRunnable(() -> this.change.accept(exchange.getResponse().getHeaders())));
			return chain.filter(exchange);
		}

	}

}

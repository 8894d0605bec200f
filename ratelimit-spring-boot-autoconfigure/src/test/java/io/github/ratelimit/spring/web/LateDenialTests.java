package io.github.ratelimit.spring.web;

import java.time.Duration;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with denials of a method that is called when a response is committed, after which
 * WebFlux calls no other actions of the commit.
 */
class LateDenialTests {

	@ParameterizedTest
	@ValueSource(ints = { Ordered.HIGHEST_PRECEDENCE, Ordered.LOWEST_PRECEDENCE })
	void reportsTheDenialInsteadOfAnEarlierDecision(int order) {
		new ReactiveWebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(RateLimitContext.WEBFLUX)
			.withPropertyValues("ratelimit.policies.many.limits=50/1h", "ratelimit.policies.audit.limits=1/1h",
					"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=many")
			.withBean(Audit.class)
			.withBean(AuditFilter.class, () -> new AuditFilter(order))
			.withBean(RouterFunction.class,
					() -> RouterFunctions.route().GET("/", (request) -> ServerResponse.ok().bodyValue("quote")).build())
			.run((context) -> {
				HttpHandler server = context.getBean(HttpHandler.class);
				assertThat(get(server, context).getStatusCode()).isEqualTo(HttpStatus.OK);
				MockServerHttpResponse denied = get(server, context);
				assertThat(denied.getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
				assertThat(denied.getHeaders().getFirst("RateLimit")).startsWith("\"audit\";r=0;");
				assertThat(denied.getHeaders().getFirst("RateLimit-Policy")).isEqualTo("\"audit\";q=1;w=3600");
				assertThat(denied.getHeaders().getFirst("Retry-After")).isNotNull();
			});
	}

	private static MockServerHttpResponse get(HttpHandler server, BeanFactory beans) {
		beans.getBean(AuditFilter.class).audit = beans.getBean(Audit.class);
		MockServerHttpResponse response = new MockServerHttpResponse();
		server.handle(MockServerHttpRequest.get("/").build(), response).block(Duration.ofSeconds(2));
		return response;
	}

	static class Audit {

		@RateLimited("audit")
		public Mono<String> record() {
			return Mono.just("recorded");
		}

	}

	private static final class AuditFilter implements WebFilter, Ordered {

		private final int order;

		private Audit audit = new Audit();

		AuditFilter(int order) {
			this.order = order;
		}

		@Override
		public int getOrder() {
			return this.order;
		}

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			exchange.getResponse().beforeCommit(() -> this.audit.record().then());
			return chain.filter(exchange);
		}

	}

}

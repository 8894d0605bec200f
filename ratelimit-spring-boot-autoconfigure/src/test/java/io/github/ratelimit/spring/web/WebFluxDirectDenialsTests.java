package io.github.ratelimit.spring.web;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Direct denials of WebFlux.
 */
@Tag("long")
class WebFluxDirectDenialsTests extends DirectDenialsContract<ReactiveWebApplicationContextRunner> {

	WebFluxDirectDenialsTests() {
		super(MockedServer.REACTIVE);
	}

	@Test
	void leavesTheResponseToAResultHandlerOfTheApplication() {
		ReactiveWebApplicationContextRunner application = this.context.withBean(HandlerResultHandler.class,
				Results::new);
		assertThat(denial(application, "/one").body()).isEqualTo("mine");
	}

	/** Writes responses of its own kind before Spring does. */
	static class Results implements HandlerResultHandler, Ordered {

		@Override
		public boolean supports(HandlerResult result) {
			return result.getReturnValue() instanceof ResponseEntity<?>;
		}

		@Override
		public Mono<Void> handleResult(ServerWebExchange exchange, HandlerResult result) {
			DataBuffer body = exchange.getResponse().bufferFactory().wrap("mine".getBytes(StandardCharsets.UTF_8));
			exchange.getResponse().setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
			return exchange.getResponse().writeWith(Mono.just(body));
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

}

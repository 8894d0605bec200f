package io.github.ratelimit.spring.web;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Answers refusals that no handler of WebFlux has answered: those that come while a
 * functional endpoint writes a body, or from a filter of the application. Leaves a
 * response alone that has begun.
 */
public final class RateLimitWebExceptionHandler implements WebExceptionHandler, Ordered {

	private final ReactiveAnswers answers;

	/**
	 * A handler.
	 * @param answers through the application's exception handling
	 */
	public RateLimitWebExceptionHandler(ReactiveAnswers answers) {
		this.answers = answers;
	}

	/** Before those that answer everything, as Spring Boot's does. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable ex) {
		return (Refusals.isOne(ex) && !exchange.getResponse().isCommitted()) ? this.answers.send(exchange, ex)
				: Mono.error(ex);
	}

}

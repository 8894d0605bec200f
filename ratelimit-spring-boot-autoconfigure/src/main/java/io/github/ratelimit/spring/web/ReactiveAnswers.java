package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;

/**
 * Answers reactive requests that never reach their handler as WebFlux would have answered
 * them: through the exception handling of the application.
 */
public final class ReactiveAnswers {

	private final Supplier<? extends DispatchExceptionHandler> exceptions;

	private final Supplier<List<HandlerResultHandler>> results;

	private final ReactiveCors cors;

	/**
	 * Answers.
	 * @param exceptions how the application answers exceptions
	 * @param results write what it answers, in order
	 * @param cors who may read the answers
	 */
	public ReactiveAnswers(Supplier<? extends DispatchExceptionHandler> exceptions,
			Supplier<List<HandlerResultHandler>> results, ReactiveCors cors) {
		this.exceptions = exceptions;
		this.results = results;
		this.cors = cors;
	}

	/**
	 * Where nobody handles it, or what they answer cannot be written, such as the details
	 * of a problem at the path {@code //}, which is no URI, the bare status remains.
	 */
	Mono<Void> send(ServerWebExchange exchange, Throwable refusal) {
		return this.cors.tryAllow(exchange).flatMap((allowed) -> allowed ? answer(exchange, refusal) : Mono.empty());
	}

	private Mono<Void> answer(ServerWebExchange exchange, Throwable refusal) {
		exchange.getResponse().getHeaders().set(HttpHeaders.CACHE_CONTROL, Refusals.NO_STORE);
		return this.exceptions.get()
			.handleError(exchange, refusal)
			.flatMap((result) -> write(exchange, result))
			.onErrorMap((ex) -> new ResponseStatusException(Refusals.status(refusal), null, ex));
	}

	private Mono<Void> write(ServerWebExchange exchange, HandlerResult result) {
		for (HandlerResultHandler handler : this.results.get()) {
			if (handler.supports(result)) {
				return handler.handleResult(exchange, result);
			}
		}
		return Mono.error(new IllegalStateException("nothing writes a " + result.getReturnType()));
	}

}

package io.github.ratelimit.spring.web.reactive;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.web.PreparedDenials;
import io.github.ratelimit.spring.web.Rejections;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;

/**
 * The responses to reactive requests that are rejected before they reach their handler.
 * They come from the exception handling of the application, or directly if that would
 * send a denial's standard response.
 */
public final class ReactiveRejections {

	private final Supplier<? extends DispatchExceptionHandler> exceptions;

	private final Supplier<List<HandlerResultHandler>> results;

	private final Supplier<Optional<PreparedDenials>> prepared;

	private final ReactiveRequests requests;

	private final ReactiveCors cors;

	/**
	 * Creates responses.
	 * @param exceptions supplies the exception handling of the application
	 * @param results supplies the handlers of its results, in order
	 * @param prepared supplies the standard responses to denials; empty if the
	 * application changes them
	 * @param requests reports the decisions on requests
	 * @param cors the CORS configuration of the responses
	 */
	public ReactiveRejections(Supplier<? extends DispatchExceptionHandler> exceptions,
			Supplier<List<HandlerResultHandler>> results, Supplier<Optional<PreparedDenials>> prepared,
			ReactiveRequests requests, ReactiveCors cors) {
		this.exceptions = exceptions;
		this.results = results;
		this.prepared = prepared;
		this.requests = requests;
		this.cors = cors;
	}

	/**
	 * Sends the response to a rejected request. Without an exception handler, or if the
	 * result cannot be written, only the status is sent. Problem details at the path
	 * {@code //}, which is no URI, cannot be written.
	 */
	Mono<Void> send(ServerWebExchange exchange, Throwable rejection) {
		return this.cors.tryAllow(exchange).flatMap((allowed) -> allowed ? respond(exchange, rejection) : Mono.empty());
	}

	private Mono<Void> respond(ServerWebExchange exchange, Throwable rejection) {
		Mono<Void> direct = direct(exchange, rejection);
		return (direct != null) ? direct : handle(exchange, rejection);
	}

	/**
	 * Returns the standard response to a denial without the application's exception
	 * handling, or {@code null} if that has a response of its own.
	 */
	@Nullable Mono<Void> direct(ServerWebExchange exchange, Throwable rejection) {
		if (!(rejection instanceof RateLimitExceededException denial) || exchange.getResponse().isCommitted()) {
			return null;
		}
		return this.prepared.get().map((standard) -> direct(exchange, standard, denial)).orElse(null);
	}

	private @Nullable Mono<Void> direct(ServerWebExchange exchange, PreparedDenials standard,
			RateLimitExceededException denial) {
		byte[] body = standard.body(exchange.getRequest().getPath().value(), denial,
				() -> exchange.getLocaleContext().getLocale());
		if (body == null) {
			return null;
		}
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
		response.getHeaders().clearContentHeaders();
		standard.writeHeaders(denial.getDecision(), response.getHeaders()::set);
		this.requests.report(denial.getDecision(), exchange);
		response.getHeaders().setContentLength(body.length);
		return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
	}

	private Mono<Void> handle(ServerWebExchange exchange, Throwable rejection) {
		exchange.getResponse().getHeaders().set(HttpHeaders.CACHE_CONTROL, Rejections.NO_STORE);
		return this.exceptions.get()
			.handleError(exchange, rejection)
			.flatMap((result) -> write(exchange, result))
			.onErrorMap((ex) -> new ResponseStatusException(Rejections.status(rejection), null, ex));
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

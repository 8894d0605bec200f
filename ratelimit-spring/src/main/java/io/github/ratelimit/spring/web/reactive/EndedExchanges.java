package io.github.ratelimit.spring.web.reactive;

import java.util.concurrent.CancellationException;

import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.charge.ThrownErrors;
import io.github.ratelimit.spring.expression.ResponseView;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

/**
 * Adjusts the charges of reactive requests when they have ended or were cancelled.
 */
final class EndedExchanges {

	private final ReactiveRequestLimiter limiter;

	EndedExchanges(ReactiveRequestLimiter limiter) {
		this.limiter = limiter;
	}

	/** Serves a request by the rest of a chain. */
	Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		this.limiter.resume(exchange);
		if (!this.limiter.measuresResponses()) {
			return ended(exchange, null, chain.filter(exchange));
		}
		MeasuredReactiveResponse response = new MeasuredReactiveResponse(exchange.getResponse());
		return ended(exchange, response, chain.filter(exchange.mutate().response(response).build()));
	}

	private Mono<Void> ended(ServerWebExchange exchange, @Nullable MeasuredReactiveResponse measured,
			Mono<Void> served) {
		return Mono.fromDirect(new ThrownErrors<>(
				served.doOnEach((signal) -> ended(exchange, measured, signal.getThrowable()))
					.doOnCancel(() -> end(exchange, measured, new CancellationException())),
				(failure) -> end(exchange, measured, failure)));
	}

	private void ended(ServerWebExchange exchange, @Nullable MeasuredReactiveResponse measured,
			@Nullable Throwable failure) {
		if (failure == null) {
			end(exchange, measured, null);
		}
		else {
			endAtCommit(exchange, measured, failure);
		}
	}

	/**
	 * Waits for the handler of the failure, which sets the status. It may be cancelled,
	 * as the client has gone, so that permits do not wait for it.
	 */
	private void endAtCommit(ServerWebExchange exchange, @Nullable MeasuredReactiveResponse measured,
			Throwable failure) {
		if (exchange.getResponse().isCommitted()) {
			end(exchange, measured, failure);
		}
		else {
			RequestCharges charges = this.limiter.fail(exchange, failure);
			exchange.getResponse()
				.beforeCommit(() -> Mono.fromRunnable(() -> charges.endFailed(view(exchange, measured))));
		}
	}

	private void end(ServerWebExchange exchange, @Nullable MeasuredReactiveResponse measured,
			@Nullable Throwable failure) {
		this.limiter.end(exchange, view(exchange, measured), failure);
	}

	private static ResponseView view(ServerWebExchange exchange, @Nullable MeasuredReactiveResponse measured) {
		return new ResponseView(status(exchange.getResponse()), (measured != null) ? measured.size() : 0);
	}

	private static int status(ServerHttpResponse response) {
		HttpStatusCode status = response.getStatusCode();
		return (status != null) ? status.value() : HttpStatus.OK.value();
	}

}

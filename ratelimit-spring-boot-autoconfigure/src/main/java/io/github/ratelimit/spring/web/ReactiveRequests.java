package io.github.ratelimit.spring.web;

import java.util.function.Function;

import io.github.ratelimit.RequestCharges;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;

/**
 * Who sent reactive requests, and what these have been charged, kept with the exchange;
 * and the headers that tell of it.
 */
public final class ReactiveRequests {

	private static final String CHARGES = RequestCharges.class.getName();

	private final RateLimitHeaders headers;

	private final Function<ServerWebExchange, Mono<Caller>> callers;

	/**
	 * Reactive requests.
	 * @param headers that responses get
	 * @param callers who sent a request
	 */
	public ReactiveRequests(RateLimitHeaders headers, Function<ServerWebExchange, Mono<Caller>> callers) {
		this.headers = headers;
		this.callers = callers;
	}

	/**
	 * What the request has been charged that a subscriber serves.
	 * @param context the subscriber's
	 * @return its charges, or {@code null} outside a request
	 */
	public @Nullable RequestCharges of(ContextView context) {
		return ServerWebExchangeContextFilter.getExchange(context).map(this::of).orElse(null);
	}

	RequestCharges of(ServerWebExchange exchange) {
		Object known = exchange.getAttributes().computeIfAbsent(CHARGES, (name) -> begin(exchange));
		return (RequestCharges) known;
	}

	Mono<Caller> caller(ServerWebExchange exchange) {
		return this.callers.apply(exchange);
	}

	/** Decisions come on any thread, so the headers wait for the response's commit. */
	private RequestCharges begin(ServerWebExchange exchange) {
		RequestCharges charges = new RequestCharges((decision) -> {
		});
		exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> {
			tell(charges.decision(), exchange);
			forbidStoring(exchange.getResponse());
		}));
		return charges;
	}

	/**
	 * A denial that the application itself answered may bear what a filter said before.
	 */
	private static void forbidStoring(ServerHttpResponse response) {
		if (response.getStatusCode() == HttpStatus.TOO_MANY_REQUESTS) {
			response.getHeaders().set(HttpHeaders.CACHE_CONTROL, Refusals.NO_STORE);
		}
	}

	private void tell(@Nullable Decision decision, ServerWebExchange exchange) {
		if (decision != null) {
			this.headers.of(decision).forEach((name, value) -> {
				if (!exchange.getResponse().getHeaders().containsHeader(name)) {
					exchange.getResponse().getHeaders().set(name, value);
				}
			});
		}
	}

}

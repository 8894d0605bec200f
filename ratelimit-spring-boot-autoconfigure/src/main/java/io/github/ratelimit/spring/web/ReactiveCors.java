package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;

/**
 * An application's CORS configuration, for requests that are answered before they come to
 * what applies it: its CORS filters, and the handler mappings of WebFlux.
 */
public final class ReactiveCors {

	private final Supplier<? extends List<? extends WebFilter>> filters;

	private final ReactiveHandlers handlers;

	/**
	 * A CORS configuration.
	 * @param filters the application's CORS filters, in order
	 * @param handlers what WebFlux maps requests to
	 */
	public ReactiveCors(Supplier<? extends List<? extends WebFilter>> filters, ReactiveHandlers handlers) {
		this.filters = filters;
		this.handlers = handlers;
	}

	/**
	 * Adds the headers by which a script may read the response. Emits whether the
	 * request's origin is allowed; if not, the request is answered.
	 */
	Mono<Boolean> tryAllow(ServerWebExchange exchange) {
		if (!isFromElsewhere(exchange.getRequest())) {
			return Mono.just(true);
		}
		return Flux.fromIterable(this.filters.get())
			.concatMap((filter) -> tryPass(filter, exchange))
			.all((passed) -> passed)
			.flatMap((passed) -> passed ? this.handlers.tryAllowOrigin(exchange) : Mono.just(false));
	}

	/**
	 * Whether a request is a preflight, which WebFlux answers wherever it leads. No
	 * browser sends credentials with one.
	 */
	static boolean isPreflight(ServerHttpRequest request) {
		return CorsUtils.isPreFlightRequest(request) && !request.getHeaders().containsHeader(HttpHeaders.AUTHORIZATION)
				&& !request.getHeaders().containsHeader(HttpHeaders.COOKIE);
	}

	private static boolean isFromElsewhere(ServerHttpRequest request) {
		try {
			return CorsUtils.isCorsRequest(request);
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static Mono<Boolean> tryPass(WebFilter filter, ServerWebExchange exchange) {
		AtomicBoolean passed = new AtomicBoolean();
		return filter.filter(exchange, (same) -> Mono.fromRunnable(() -> passed.set(true)))
			.then(Mono.fromSupplier(passed::get));
	}

}

package io.github.ratelimit.spring.web.reactive;

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
 * The CORS configuration of an application, for requests that are rejected before they
 * reach its CORS filters and the handler mappings of WebFlux.
 */
public final class ReactiveCors {

	private final Supplier<? extends List<? extends WebFilter>> filters;

	private final ReactiveHandlerLookup handlers;

	/**
	 * Creates a CORS configuration.
	 * @param filters supplies the application's CORS filters, in order
	 * @param handlers the lookup of handlers
	 */
	public ReactiveCors(Supplier<? extends List<? extends WebFilter>> filters, ReactiveHandlerLookup handlers) {
		this.filters = filters;
		this.handlers = handlers;
	}

	/**
	 * Adds the headers that let a script read the response. Emits whether the request's
	 * origin is allowed; otherwise the response is complete.
	 */
	Mono<Boolean> tryAllow(ServerWebExchange exchange) {
		if (!isCrossOrigin(exchange.getRequest())) {
			return Mono.just(true);
		}
		return Flux.fromIterable(this.filters.get())
			.concatMap((filter) -> tryPass(filter, exchange))
			.all((passed) -> passed)
			.flatMap((passed) -> passed ? this.handlers.tryAllowOrigin(exchange) : Mono.just(false));
	}

	/**
	 * Returns whether a request is a preflight, which WebFlux handles at any path.
	 * Browsers send no credentials with one.
	 */
	static boolean isPreflight(ServerHttpRequest request) {
		return CorsUtils.isPreFlightRequest(request) && !request.getHeaders().containsHeader(HttpHeaders.AUTHORIZATION)
				&& !request.getHeaders().containsHeader(HttpHeaders.COOKIE);
	}

	private static boolean isCrossOrigin(ServerHttpRequest request) {
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

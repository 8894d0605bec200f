package io.github.ratelimit.spring.web.reactive;

import java.util.function.Supplier;

import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * A filter that limits reactive requests, except CORS preflights, by the rules of one
 * phase.
 */
public final class RateLimitWebFilter implements WebFilter, Ordered {

	private final Phase phase;

	private final int order;

	private final Supplier<ReactiveRequestLimiter> limiter;

	/**
	 * Creates a filter.
	 * @param phase the phase of the rules to apply
	 * @param order the order among the application's filters
	 * @param limiter supplies the limiter at the first request
	 */
	public RateLimitWebFilter(Phase phase, int order, Supplier<ReactiveRequestLimiter> limiter) {
		this.phase = phase;
		this.order = order;
		this.limiter = limiter;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ReactiveRequestLimiter limiter = this.limiter.get();
		if (this.phase != Phase.BEFORE_SECURITY) {
			return limit(limiter, exchange, chain);
		}
		return limiter.readsForm(exchange)
				? FormExchange.read(exchange).flatMap((readable) -> limitFirst(limiter, readable, chain))
				: limitFirst(limiter, exchange, chain);
	}

	private Mono<Void> limitFirst(ReactiveRequestLimiter limiter, ServerWebExchange exchange, WebFilterChain chain) {
		return new EndedExchanges(limiter).filter(exchange, (measured) -> limit(limiter, measured, chain));
	}

	private Mono<Void> limit(ReactiveRequestLimiter limiter, ServerWebExchange exchange, WebFilterChain chain) {
		if (!limiter.has(this.phase) || ReactiveCors.isPreflight(exchange.getRequest())) {
			return chain.filter(exchange);
		}
		if (limiter.isRewritten(exchange)) {
			return limiter.serveRewritten(exchange, chain);
		}
		return limiter.mayMatch(this.phase, exchange) ? limiter.serve(this.phase, exchange, chain)
				: chain.filter(exchange);
	}

}

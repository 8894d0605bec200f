package io.github.ratelimit.spring.web.reactive;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * A filter behind all others, which limits requests by the rules that they match only
 * since a filter rewrote their path.
 */
public final class RewrittenPathWebFilter implements WebFilter, Ordered {

	private final Supplier<ReactiveRequestLimiter> limiter;

	/**
	 * Creates a filter.
	 * @param limiter supplies the limiter at the first request
	 */
	public RewrittenPathWebFilter(Supplier<ReactiveRequestLimiter> limiter) {
		this.limiter = limiter;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ReactiveRequestLimiter limiter = this.limiter.get();
		return limiter.isRewritten(exchange) ? limiter.serveRewritten(exchange, chain) : chain.filter(exchange);
	}

}

package io.github.ratelimit.spring.web.reactive;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * A filter behind all others. It limits requests by the rules that they match only since
 * a filter rewrote their path, and puts the exchange as the other filters leave it into
 * the Reactor context, where {@link ServerWebExchangeContextFilter#getExchange} finds it.
 */
public final class LastWebFilter implements WebFilter, Ordered {

	private final Supplier<@Nullable ReactiveRequestLimiter> limiter;

	/**
	 * Creates a filter.
	 * @param limiter supplies the limiter at the first request, or {@code null} if
	 * requests are not limited
	 */
	public LastWebFilter(Supplier<@Nullable ReactiveRequestLimiter> limiter) {
		this.limiter = limiter;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ReactiveRequestLimiter limiter = this.limiter.get();
		Mono<Void> served = (limiter != null && limiter.isRewritten(exchange)) ? limiter.serveRewritten(exchange, chain)
				: chain.filter(exchange);
		return served.contextWrite(
				(context) -> context.put(ServerWebExchangeContextFilter.EXCHANGE_CONTEXT_ATTRIBUTE, exchange));
	}

}

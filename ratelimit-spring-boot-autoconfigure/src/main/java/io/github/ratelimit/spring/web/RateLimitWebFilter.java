package io.github.ratelimit.spring.web;

import java.util.function.Supplier;

import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Limits reactive requests by the rules of one phase, CORS preflights excepted.
 */
public final class RateLimitWebFilter implements WebFilter, Ordered {

	private final Phase phase;

	private final int order;

	private final Supplier<ReactiveDoor> door;

	/**
	 * A filter.
	 * @param phase whose rules apply
	 * @param order among the application's filters
	 * @param door asked for at the first request
	 */
	public RateLimitWebFilter(Phase phase, int order, Supplier<ReactiveDoor> door) {
		this.phase = phase;
		this.order = order;
		this.door = door;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ReactiveDoor door = this.door.get();
		if (!door.has(this.phase) || ReactiveCors.isPreflight(exchange.getRequest())) {
			return chain.filter(exchange);
		}
		Mono<Void> rest = Mono.defer(() -> chain.filter(exchange))
			.doOnTerminate(() -> door.settle(exchange))
			.doOnCancel(() -> door.settle(exchange));
		return door.admits(this.phase, exchange).flatMap((admitted) -> admitted ? rest : Mono.empty());
	}

}

package io.github.ratelimit.spring.web;

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

	private final Supplier<ReactiveDoor> door;

	/**
	 * A filter.
	 * @param door asked for at the first request
	 */
	public RewrittenPathWebFilter(Supplier<ReactiveDoor> door) {
		this.door = door;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ReactiveDoor door = this.door.get();
		if (!door.isRewritten(exchange)) {
			return chain.filter(exchange);
		}
		Mono<Void> rest = Mono.defer(() -> chain.filter(exchange));
		return door.admitsRewritten(exchange).flatMap((admitted) -> admitted ? rest : Mono.empty());
	}

}

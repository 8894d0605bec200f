package io.github.ratelimit.spring.web;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;

/**
 * Decides on limited handler methods of WebFlux before the request's body is read and
 * arguments are bound, where the limits do not depend on these; then hands on to the
 * adapter that calls them.
 */
public final class RateLimitHandlerAdapter implements HandlerAdapter, Ordered {

	private final Supplier<ReactiveDoor> door;

	private final Supplier<? extends HandlerAdapter> next;

	/**
	 * An adapter.
	 * @param door asked for at the first request
	 * @param next calls the methods
	 */
	public RateLimitHandlerAdapter(Supplier<ReactiveDoor> door, Supplier<? extends HandlerAdapter> next) {
		this.door = door;
		this.next = next;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public boolean supports(Object handler) {
		return this.next.get().supports(handler) && this.door.get().limits(handler);
	}

	@Override
	public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
		return this.door.get()
			.admit(handler, exchange)
			.flatMap((admitted) -> this.next.get().handle(exchange, admitted));
	}

}

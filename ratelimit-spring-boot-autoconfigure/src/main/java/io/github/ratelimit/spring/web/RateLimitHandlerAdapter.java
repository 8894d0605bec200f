package io.github.ratelimit.spring.web;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;

/**
 * Decides on limited handler methods of WebFlux before the request's body is read and
 * arguments are bound, where the limits do not depend on these; then hands on to the
 * adapter that calls them. Where they do, and the arguments cannot be bound, it decides
 * on the rules that waited for the call.
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
		ReactiveDoor door = this.door.get();
		return this.next.get().supports(handler) && (door.limits(handler) || door.limitsAtCall(handler));
	}

	@Override
	public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
		ReactiveDoor door = this.door.get();
		return door.limits(handler)
				? door.admit(handler, exchange).flatMap((admitted) -> this.next.get().handle(exchange, admitted))
				: call(door, exchange, handler);
	}

	/** What comes of another method than the handler's answers for one not called. */
	private Mono<HandlerResult> call(ReactiveDoor door, ServerWebExchange exchange, Object handler) {
		return this.next.get()
			.handle(exchange, handler)
			.onErrorResume((ex) -> door.decideDeferred(exchange).then(Mono.error(ex)))
			.flatMap((result) -> isOf(handler, result) ? Mono.just(result)
					: door.decideDeferred(exchange).thenReturn(result));
	}

	private static boolean isOf(Object handler, HandlerResult result) {
		return handler instanceof HandlerMethod asked && result.getHandler() instanceof HandlerMethod called
				&& asked.getMethod().equals(called.getMethod());
	}

}

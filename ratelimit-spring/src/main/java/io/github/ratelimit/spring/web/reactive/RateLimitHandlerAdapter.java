package io.github.ratelimit.spring.web.reactive;

import java.util.function.Supplier;

import io.github.ratelimit.spring.method.RateLimitedMethod;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;

/**
 * A handler adapter that decides limited handler methods of WebFlux before the request's
 * body is read and arguments are bound, unless the limits depend on these. The next
 * adapter calls the method. If it cannot bind the arguments of a method that is decided
 * at its call, this one decides the rules that were deferred to the call.
 */
public final class RateLimitHandlerAdapter implements HandlerAdapter, Ordered {

	private final Supplier<ReactiveRequestLimiter> limiter;

	private final Supplier<? extends HandlerAdapter> next;

	/**
	 * Creates an adapter.
	 * @param limiter supplies the limiter at the first request
	 * @param next supplies the adapter that calls the methods
	 */
	public RateLimitHandlerAdapter(Supplier<ReactiveRequestLimiter> limiter, Supplier<? extends HandlerAdapter> next) {
		this.limiter = limiter;
		this.next = next;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public boolean supports(Object handler) {
		return this.next.get().supports(handler) && this.limiter.get().isLimited(handler);
	}

	@Override
	public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
		ReactiveRequestLimiter limiter = this.limiter.get();
		RateLimitedMethod method = limiter.findDecidedBeforeCall(handler);
		return (method != null) ? limiter.serve(exchange, (HandlerMethod) handler, method,
				(admitted) -> this.next.get().handle(exchange, admitted)) : call(limiter, exchange, handler);
	}

	/** Calls a handler and decides the deferred rules if its method was not called. */
	private Mono<HandlerResult> call(ReactiveRequestLimiter limiter, ServerWebExchange exchange, Object handler) {
		return limiter.serve(exchange, (HandlerMethod) handler)
			.flatMap((served) -> limiter.mayBlock(served) ? BlockingExchange.handle(exchange, served, this.next.get())
					: this.next.get().handle(exchange, served))
			.onErrorResume((ex) -> limiter.decideDeferred(exchange).then(Mono.error(ex)))
			.flatMap((result) -> isOf(handler, result) ? Mono.just(result)
					: limiter.decideDeferred(exchange).thenReturn(result));
	}

	private static boolean isOf(Object handler, HandlerResult result) {
		return handler instanceof HandlerMethod expected && result.getHandler() instanceof HandlerMethod called
				&& expected.getMethod().equals(called.getMethod());
	}

}

package io.github.ratelimit.spring.web.reactive;

import io.github.ratelimit.spring.web.Rejections;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * The handler of rejections outside WebFlux's own exception handling: in a filter of the
 * application, or while a functional endpoint writes a body. It leaves committed
 * responses alone.
 */
public final class RateLimitWebExceptionHandler implements WebExceptionHandler, Ordered {

	private final ReactiveRejections rejections;

	/**
	 * Creates a handler.
	 * @param rejections sends the responses
	 */
	public RateLimitWebExceptionHandler(ReactiveRejections rejections) {
		this.rejections = rejections;
	}

	/** Returns an order before handlers of all exceptions, such as Spring Boot's. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable ex) {
		return (Rejections.isRejection(ex) && !exchange.getResponse().isCommitted())
				? this.rejections.send(exchange, ex) : Mono.error(ex);
	}

}

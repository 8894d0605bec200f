package io.github.ratelimit.spring.web.reactive;

import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.spring.web.RejectionSettings;

import org.springframework.http.HttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * The exception handler of rejected calls in WebFlux.
 */
public final class ReactiveExceptionHandler extends RateLimitExceptionHandler<ServerHttpRequest> {

	/**
	 * Creates a handler.
	 * @param settings the parts of the responses
	 * @param order the order among the application's advice
	 */
	public ReactiveExceptionHandler(RejectionSettings settings, int order) {
		super(settings, order);
	}

	@Override
	protected HttpRequest common(ServerHttpRequest request) {
		return request;
	}

}

package io.github.ratelimit.spring.web.reactive;

import java.util.function.Supplier;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.spring.charge.RateLimits;

import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/**
 * A resolver of the {@link Decision} that a handler method of WebFlux takes. A method
 * that is decided at its call receives the decision then.
 */
public final class ReactiveDecisionArgumentResolver implements SyncHandlerMethodArgumentResolver {

	private final Supplier<ReactiveRequests> requests;

	/**
	 * Creates a resolver.
	 * @param requests supplies the charges of exchanges at the first of them
	 */
	public ReactiveDecisionArgumentResolver(Supplier<ReactiveRequests> requests) {
		this.requests = requests;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == Decision.class;
	}

	@Override
	public Decision resolveArgumentValue(MethodParameter parameter, BindingContext context,
			ServerWebExchange exchange) {
		return RateLimits.of(this.requests.get().find(exchange));
	}

}

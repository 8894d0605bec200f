package io.github.ratelimit.spring.web;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.web.HandlerLimits.HandlerLimit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * Foretells which method WebFlux will call for a request.
 */
public final class ReactiveHandlers {

	private final Supplier<List<HandlerMapping>> mappings;

	private final HandlerLimits limits;

	private final DecidedHandlers decided;

	private final Map<Class<?>, Boolean> answering = new ConcurrentHashMap<>();

	/**
	 * Handlers.
	 * @param mappings the application's, in order
	 * @param limits what limits the methods
	 * @param decided a bean in the place of one, which does not limit a method that has
	 * been decided on; nothing where there can be none
	 */
	public ReactiveHandlers(Supplier<List<HandlerMapping>> mappings, HandlerLimits limits,
			BiFunction<Object, Method, Optional<Object>> decided) {
		this.mappings = mappings;
		this.limits = limits;
		this.decided = new DecidedHandlers(decided);
	}

	/**
	 * The limits of a handler that can be decided on before it is called. Those of a
	 * controller with an exception handler of its own cannot: WebFlux asks that only for
	 * what happens in the call.
	 */
	@Nullable HandlerLimit limitBeforeCall(Object handler) {
		if (!(handler instanceof HandlerMethod method) || answersItself(method.getBeanType())) {
			return null;
		}
		HandlerLimit limit = this.limits.on(method);
		return (limit != null && limit.charges() != null && decided(method, limit).isPresent()) ? limit : null;
	}

	/**
	 * A handler after the decision on its limit, or nothing if it would be limited again.
	 */
	Optional<HandlerMethod> decided(HandlerMethod handler, HandlerLimit limit) {
		return this.decided.of(handler, limit.method());
	}

	/** Whether the limits of the method that will be called can be joined by others. */
	Mono<Boolean> areJoinable(ServerWebExchange exchange) {
		return Flux.fromIterable(this.mappings.get())
			.concatMap((mapping) -> mapping.getHandler(exchange))
			.next()
			.map((handler) -> limitBeforeCall(handler) != null || isLimitedAndReactive(handler))
			.onErrorReturn(false)
			.defaultIfEmpty(false);
	}

	/** Such a method is decided on where the request is known. */
	private boolean isLimitedAndReactive(Object handler) {
		return handler instanceof HandlerMethod method
				&& ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getMethod().getReturnType()) != null
				&& this.limits.on(method) != null;
	}

	private boolean answersItself(Class<?> controller) {
		return this.answering.computeIfAbsent(controller, (type) -> new ExceptionHandlerMethodResolver(type)
			.resolveMethodByExceptionType(RateLimitExceededException.class) != null);
	}

}

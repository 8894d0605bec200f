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

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.http.HttpStatus;
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

	/**
	 * Has the mappings add their CORS headers. Emits whether the request's origin is
	 * allowed; if not, the request is answered.
	 */
	Mono<Boolean> tryAllowOrigin(ServerWebExchange exchange) {
		return find(exchange).onErrorResume((ex) -> Mono.empty())
			.then(Mono.fromSupplier(() -> exchange.getResponse().getStatusCode() != HttpStatus.FORBIDDEN));
	}

	/** Whether the limits of the method that will be called can be joined by others. */
	Mono<Boolean> areJoinable(ServerWebExchange exchange) {
		return find(exchange).map((handler) -> limitBeforeCall(handler) != null || isLimitedAndReactive(handler))
			.onErrorReturn(false)
			.defaultIfEmpty(false);
	}

	private Mono<Object> find(ServerWebExchange exchange) {
		return Flux.fromIterable(this.mappings.get()).concatMap((mapping) -> mapping.getHandler(exchange)).next();
	}

	boolean isLimited(Object handler) {
		return handler instanceof HandlerMethod method && this.limits.on(method) != null;
	}

	/** Such a method is decided on where the request is known. */
	private boolean isLimitedAndReactive(Object handler) {
		return handler instanceof HandlerMethod method
				&& (KotlinDetector.isSuspendingFunction(method.getMethod()) || isReactive(method.getMethod()))
				&& isLimitedAndOpen(method);
	}

	private boolean isLimitedAndOpen(HandlerMethod method) {
		HandlerLimit limit = this.limits.on(method);
		return limit != null && !limit.secured();
	}

	private static boolean isReactive(Method method) {
		return ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType()) != null;
	}

	private boolean answersItself(Class<?> controller) {
		return this.answering.computeIfAbsent(controller, (type) -> new ExceptionHandlerMethodResolver(type)
			.resolveMethodByExceptionType(RateLimitExceededException.class) != null);
	}

}

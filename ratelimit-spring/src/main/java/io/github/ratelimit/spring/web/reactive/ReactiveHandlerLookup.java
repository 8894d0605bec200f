package io.github.ratelimit.spring.web.reactive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.LimitedPaths;
import io.github.ratelimit.spring.web.MappedMethods;
import io.github.ratelimit.spring.web.Rejections;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.server.RequestPath;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.AbstractHandlerMethodMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A lookup of the handler method that WebFlux will call for a request, and of its limits.
 */
public final class ReactiveHandlerLookup implements MappedMethods {

	private final Supplier<List<HandlerMapping>> mappings;

	private final RateLimitedMethods methods;

	private final HandlerProxies proxies = new HandlerProxies();

	private final @Nullable GatewayRoutes routes;

	private final Supplier<LimitedPaths> paths = SingletonSupplier.of(this::limitedPaths);

	private final Map<Class<?>, Boolean> handlesDenials = new ConcurrentHashMap<>();

	/**
	 * Creates a lookup.
	 * @param mappings the application's handler mappings, in order
	 * @param methods the limited methods
	 * @param routes the limited routes; {@code null} if there are none
	 */
	public ReactiveHandlerLookup(Supplier<List<HandlerMapping>> mappings, RateLimitedMethods methods,
			@Nullable GatewayRoutes routes) {
		this.mappings = mappings;
		this.methods = methods;
		this.routes = routes;
	}

	/** Returns the limited methods. */
	RateLimitedMethods methods() {
		return this.methods;
	}

	/**
	 * Finds the limits of a handler that can be decided before its call, or returns null.
	 * A controller that handles denials itself is decided at its call, as WebFlux
	 * consults its exception handlers only for failures of the call.
	 */
	@Nullable RateLimitedMethod findDecidedBeforeCall(Object handler) {
		if (!(handler instanceof HandlerMethod method) || handlesDenials(method.getBeanType())) {
			return null;
		}
		RateLimitedMethod limited = find(method);
		return (limited != null && !limited.isDecidedAtCall() && !limited.isSecured()
				&& bypassing(method, limited).isPresent()) ? limited : null;
	}

	/**
	 * Returns the handler to call after the decision on its limit, or nothing if there is
	 * none that bypasses the limit.
	 */
	Optional<HandlerMethod> bypassing(HandlerMethod handler, RateLimitedMethod method) {
		return this.proxies.bypassing(handler, method);
	}

	/**
	 * Adds the CORS headers of the handler mappings. Emits whether the request's origin
	 * is allowed; otherwise the response is complete.
	 */
	Mono<Boolean> tryAllowOrigin(ServerWebExchange exchange) {
		return find(exchange).onErrorResume((ex) -> Mono.empty())
			.then(Mono.fromSupplier(() -> exchange.getResponse().getStatusCode() != HttpStatus.FORBIDDEN));
	}

	/**
	 * Returns whether a request may reach a limited handler, so that it needs a lookup.
	 */
	boolean mayBeJoinable(ServerWebExchange exchange) {
		RequestPath path = exchange.getRequest().getPath();
		return this.routes != null || this.paths.get().mayHave(path.value(), path::pathWithinApplication);
	}

	private LimitedPaths limitedPaths() {
		List<@Nullable Collection<PathPattern>> limited = new ArrayList<>();
		mapped().stream()
			.filter((method) -> method.limited() != null)
			.forEach((method) -> limited.add(method.patterns()));
		return LimitedPaths.of(limited);
	}

	@Override
	public List<Mapped> mapped() {
		List<Mapped> mapped = new ArrayList<>();
		for (HandlerMapping mapping : this.mappings.get()) {
			if (mapping instanceof AbstractHandlerMethodMapping<?> methods) {
				methods.getHandlerMethods().forEach((info, handler) -> mapped.add(mapped(info, handler)));
			}
		}
		return mapped;
	}

	private Mapped mapped(Object mapping, HandlerMethod handler) {
		return (mapping instanceof RequestMappingInfo info) ? Mapped.of(handler,
				info.getPatternsCondition().getPatterns(), info.getMethodsCondition().getMethods(), find(handler))
				: Mapped.of(handler, null, Set.of(), find(handler));
	}

	/** Emits whether rules can be decided together with the limits of the handler. */
	Mono<Boolean> isJoinable(ServerWebExchange exchange) {
		return find(exchange)
			.map((handler) -> findDecidedBeforeCall(handler) != null || isDecidedWithRequest(handler)
					|| (this.routes != null && this.routes.serve(exchange)))
			.onErrorReturn(false)
			.defaultIfEmpty(false);
	}

	private Mono<Object> find(ServerWebExchange exchange) {
		return Flux.fromIterable(this.mappings.get()).concatMap((mapping) -> mapping.getHandler(exchange)).next();
	}

	/** Returns whether a handler is limited. */
	boolean isLimited(Object handler) {
		return handler instanceof HandlerMethod method && find(method) != null;
	}

	/** Returns whether a handler is decided at its call, which knows the request. */
	private boolean isDecidedWithRequest(Object handler) {
		if (!(handler instanceof HandlerMethod method)) {
			return false;
		}
		RateLimitedMethod limited = find(method);
		return limited != null && !limited.isSecured()
				&& (limited.isDecidedAtSubscription() || this.proxies.canServe(method));
	}

	/**
	 * Returns the handler to call for a request, which is not decided at its subscription
	 * and so gets the request by its bean.
	 */
	HandlerMethod serving(HandlerMethod handler, Caller caller, RequestCharges request) {
		return this.proxies.serving(handler, caller, request);
	}

	/** Returns the limits of a limited handler. */
	RateLimitedMethod require(HandlerMethod handler) {
		return Objects.requireNonNull(find(handler));
	}

	private @Nullable RateLimitedMethod find(HandlerMethod handler) {
		return this.methods.find(handler.getMethod(), handler.getBeanType());
	}

	private boolean handlesDenials(Class<?> controller) {
		return this.handlesDenials.computeIfAbsent(controller, Rejections::areDenialsHandledBy);
	}

}

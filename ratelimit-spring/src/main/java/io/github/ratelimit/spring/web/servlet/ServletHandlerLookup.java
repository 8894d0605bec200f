package io.github.ratelimit.spring.web.servlet;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.LimitedPaths;
import io.github.ratelimit.spring.web.MappedMethods;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractHandlerMethodMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A lookup of the handler method that Spring MVC will call for a request, and of its
 * limits.
 */
public final class ServletHandlerLookup implements MappedMethods {

	private static final Method HANDLE_REQUEST = ClassUtils.getMethod(HttpRequestHandler.class, "handleRequest",
			HttpServletRequest.class, HttpServletResponse.class);

	private final Supplier<List<HandlerMapping>> mappings;

	private final RateLimitedMethods methods;

	private final Supplier<Boolean> routes;

	private final Supplier<LimitedPaths> paths = SingletonSupplier.of(this::limitedPaths);

	/**
	 * Creates a lookup.
	 * @param mappings the application's handler mappings, in order
	 * @param methods the limited methods
	 * @param routes supplies whether there may be limited routes
	 */
	public ServletHandlerLookup(Supplier<List<HandlerMapping>> mappings, RateLimitedMethods methods,
			Supplier<Boolean> routes) {
		this.mappings = mappings;
		this.methods = methods;
		this.routes = routes;
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
		return (mapping instanceof RequestMappingInfo info)
				? Mapped.of(handler, patterns(info), info.getMethodsCondition().getMethods(), find(handler))
				: Mapped.of(handler, null, Set.of(), find(handler));
	}

	private static @Nullable Collection<PathPattern> patterns(RequestMappingInfo mapping) {
		return (mapping.getPathPatternsCondition() != null) ? mapping.getPathPatternsCondition().getPatterns() : null;
	}

	/**
	 * Returns whether a lookup may find a limited handler: not if Spring MVC rejects the
	 * path.
	 */
	private boolean mayFind(HttpServletRequest request) {
		try {
			return this.routes.get() || this.paths.get()
				.mayHave(request.getRequestURI(),
						() -> ServletRequestPathUtils.parseAndCache(new Probe(request)).pathWithinApplication());
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/** Returns the limited methods. */
	RateLimitedMethods methods() {
		return this.methods;
	}

	/** Finds the limits of a handler that Spring MVC calls by a method, or null. */
	@Nullable RateLimitedMethod find(Object handler) {
		if (handler instanceof HandlerMethod method) {
			return this.methods.find(method.getMethod(), method.getBeanType());
		}
		return (handler instanceof HttpRequestHandler) ? this.methods.findOn(HANDLE_REQUEST, handler) : null;
	}

	/**
	 * Returns whether a request leads to a limited route, or to a limited method whose
	 * decision Spring Security cannot prevent.
	 */
	boolean isLimited(HttpServletRequest request) {
		HandlerExecutionChain chain = mayFind(request) ? find(new Probe(request)) : null;
		if (chain == null) {
			return false;
		}
		if (!(chain.getHandler() instanceof HandlerMethod handler)) {
			return chain.getHandler() instanceof GatewayRoute;
		}
		RateLimitedMethod method = find(handler);
		return method != null && !method.isSecured();
	}

	/**
	 * Adds the CORS headers of the handler to which Spring MVC maps the request. Returns
	 * whether its origin is allowed; otherwise the response is complete.
	 */
	boolean tryAllowOrigin(HttpServletRequest request, HttpServletResponse response) {
		Probe probe = new Probe(request);
		HandlerExecutionChain chain = find(probe);
		if (chain == null) {
			return true;
		}
		for (HandlerInterceptor interceptor : chain.getInterceptorList()) {
			if (interceptor instanceof CorsConfigurationSource) {
				return tryPass(interceptor, probe, response, chain.getHandler());
			}
		}
		return true;
	}

	private static boolean tryPass(HandlerInterceptor cors, Probe probe, HttpServletResponse response, Object handler) {
		try {
			return cors.preHandle(probe, response, handler);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private @Nullable HandlerExecutionChain find(Probe probe) {
		try {
			ServletRequestPathUtils.parseAndCache(probe);
			for (HandlerMapping mapping : this.mappings.get()) {
				HandlerExecutionChain chain = mapping.getHandler(probe);
				if (chain != null) {
					return chain;
				}
			}
		}
		catch (Exception ex) {
			// If a mapping rejects the request, no method will be called.
		}
		return null;
	}

	/** A request that keeps the attributes that mappings set to itself. */
	private static final class Probe extends HttpServletRequestWrapper {

		private final Map<String, @Nullable Object> attributes = new HashMap<>();

		Probe(HttpServletRequest request) {
			super(request);
		}

		@Override
		public @Nullable Object getAttribute(String name) {
			return this.attributes.containsKey(name) ? this.attributes.get(name) : super.getAttribute(name);
		}

		@Override
		public void setAttribute(String name, @Nullable Object value) {
			this.attributes.put(name, value);
		}

		@Override
		public void removeAttribute(String name) {
			this.attributes.put(name, null);
		}

	}

}

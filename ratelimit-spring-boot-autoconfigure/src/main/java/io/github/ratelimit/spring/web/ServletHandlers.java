package io.github.ratelimit.spring.web;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.web.HandlerLimits.HandlerLimit;
import org.jspecify.annotations.Nullable;

import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Foretells which method Spring MVC will call for a request.
 */
public final class ServletHandlers {

	private final Supplier<List<HandlerMapping>> mappings;

	private final HandlerLimits limits;

	/**
	 * Handlers.
	 * @param mappings the application's, in order
	 * @param limits what limits the methods
	 */
	public ServletHandlers(Supplier<List<HandlerMapping>> mappings, HandlerLimits limits) {
		this.mappings = mappings;
		this.limits = limits;
	}

	@Nullable HandlerLimit limit(HandlerMethod handler) {
		return this.limits.on(handler);
	}

	/**
	 * Whether a limited method will be called, unless something but Spring Security gets
	 * in between.
	 */
	boolean isLimited(HttpServletRequest request) {
		HandlerExecutionChain chain = find(new Probe(request));
		HandlerLimit limit = (chain != null && chain.getHandler() instanceof HandlerMethod method)
				? this.limits.on(method) : null;
		return limit != null && !limit.secured();
	}

	/**
	 * Adds the CORS headers of what Spring MVC maps the request to. Returns whether its
	 * origin is allowed; if not, the request is answered.
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
			// Where a mapping refuses the request, no method will be called.
		}
		return null;
	}

	/** Leaves no trace on the request: mappings set attributes on it. */
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

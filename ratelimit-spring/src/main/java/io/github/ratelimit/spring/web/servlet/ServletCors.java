package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.util.ClassUtils;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * The CORS configuration of an application, for requests that are rejected before they
 * reach its CORS filters and the handler mappings of Spring MVC.
 */
public final class ServletCors {

	private final Function<HttpServletRequest, ? extends List<? extends Filter>> filters;

	private final ServletHandlerLookup handlers;

	/**
	 * Creates a CORS configuration.
	 * @param filters returns the CORS filters that a request passes, in order
	 * @param handlers the lookup of handlers
	 */
	public ServletCors(Function<HttpServletRequest, ? extends List<? extends Filter>> filters,
			ServletHandlerLookup handlers) {
		this.filters = filters;
		this.handlers = handlers;
	}

	/**
	 * Adds the headers that let a script read the response. Returns whether the request's
	 * origin is allowed; otherwise the response is complete.
	 */
	boolean tryAllow(HttpServletRequest request, HttpServletResponse response) {
		if (!isCrossOrigin(request)) {
			return true;
		}
		for (Filter filter : this.filters.apply(request)) {
			if (!tryPass(filter, request, response)) {
				return false;
			}
		}
		return this.handlers.tryAllowOrigin(request, response);
	}

	/**
	 * Returns whether a request is a preflight that a CORS filter or Spring MVC handles,
	 * so that it reaches nothing limited. Browsers send no credentials with one.
	 */
	boolean isAnsweredPreflight(HttpServletRequest request) {
		return CorsUtils.isPreFlightRequest(request) && request.getHeader(HttpHeaders.AUTHORIZATION) == null
				&& request.getHeader(HttpHeaders.COOKIE) == null
				&& (isServedBySpring(request) || !this.filters.apply(request).isEmpty());
	}

	/**
	 * Returns whether Spring MVC serves a request. A container without registrations, as
	 * in tests without a server, has only that servlet.
	 */
	private static boolean isServedBySpring(HttpServletRequest request) {
		ServletRegistration servlet = request.getServletContext()
			.getServletRegistration(request.getHttpServletMapping().getServletName());
		return servlet == null || servlet.getClassName() == null || DispatcherServlet.class
			.isAssignableFrom(ClassUtils.resolveClassName(servlet.getClassName(), ServletCors.class.getClassLoader()));
	}

	/** Returns whether a request is cross-origin. Filters reject malformed origins. */
	private static boolean isCrossOrigin(HttpServletRequest request) {
		try {
			return CorsUtils.isCorsRequest(request);
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static boolean tryPass(Filter filter, HttpServletRequest request, HttpServletResponse response) {
		AtomicBoolean passed = new AtomicBoolean();
		try {
			filter.doFilter(request, response, (same, unchanged) -> passed.set(true));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (ServletException ex) {
			throw new IllegalStateException(ex);
		}
		return passed.get();
	}

}

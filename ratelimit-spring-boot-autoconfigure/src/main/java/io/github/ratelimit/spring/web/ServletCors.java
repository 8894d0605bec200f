package io.github.ratelimit.spring.web;

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
 * An application's CORS configuration, for requests that are answered before they come to
 * what applies it: its CORS filters, and the handler mappings of Spring MVC.
 */
public final class ServletCors {

	private final Function<HttpServletRequest, ? extends List<? extends Filter>> filters;

	private final ServletHandlers handlers;

	/**
	 * A CORS configuration.
	 * @param filters the CORS filters in a request's way, in order
	 * @param handlers what Spring MVC maps requests to
	 */
	public ServletCors(Function<HttpServletRequest, ? extends List<? extends Filter>> filters,
			ServletHandlers handlers) {
		this.filters = filters;
		this.handlers = handlers;
	}

	/**
	 * Adds the headers by which a script may read the response. Returns whether the
	 * request's origin is allowed; if not, the request is answered.
	 */
	boolean tryAllow(HttpServletRequest request, HttpServletResponse response) {
		if (!isFromElsewhere(request)) {
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
	 * Whether a request is a preflight that a CORS filter or Spring MVC answers, so that
	 * it leads to nothing that may be limited. No browser sends credentials with one.
	 */
	boolean isAnsweredPreflight(HttpServletRequest request) {
		return CorsUtils.isPreFlightRequest(request) && request.getHeader(HttpHeaders.AUTHORIZATION) == null
				&& request.getHeader(HttpHeaders.COOKIE) == null
				&& (isServedBySpring(request) || !this.filters.apply(request).isEmpty());
	}

	/**
	 * Where the container knows no servlet, as in tests without a server, there is but
	 * one.
	 */
	private static boolean isServedBySpring(HttpServletRequest request) {
		ServletRegistration servlet = request.getServletContext()
			.getServletRegistration(request.getHttpServletMapping().getServletName());
		return servlet == null || servlet.getClassName() == null || DispatcherServlet.class
			.isAssignableFrom(ClassUtils.resolveClassName(servlet.getClassName(), ServletCors.class.getClassLoader()));
	}

	/** An origin that is none is for the filters to refuse, not for this. */
	private static boolean isFromElsewhere(HttpServletRequest request) {
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
			filter.doFilter(request, response, (same, answer) -> passed.set(true));
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

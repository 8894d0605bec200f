package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.web.PreparedDenials;
import io.github.ratelimit.spring.web.Rejections;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * The responses to servlet requests that are rejected. They come from the exception
 * handling of the application, or directly if that would send a denial's standard
 * response.
 */
public final class ServletRejections {

	private final Supplier<HandlerExceptionResolver> exceptions;

	private final Supplier<LocaleResolver> locales;

	private final DirectDenials direct;

	private final ServletCors cors;

	/**
	 * Creates responses.
	 * @param exceptions supplies the resolver of the application's exceptions
	 * @param locales supplies the resolver of the languages of requests
	 * @param prepared supplies the standard responses to denials; empty if the
	 * application changes them
	 * @param cors the CORS configuration of the responses
	 */
	public ServletRejections(Supplier<HandlerExceptionResolver> exceptions, Supplier<LocaleResolver> locales,
			Supplier<Optional<PreparedDenials>> prepared, ServletCors cors) {
		this.exceptions = exceptions;
		this.locales = locales;
		this.direct = new DirectDenials(prepared);
		this.cors = cors;
	}

	/** Returns whether a request is a preflight that never reaches a handler. */
	boolean isAnsweredPreflight(HttpServletRequest request) {
		return this.cors.isAnsweredPreflight(request);
	}

	/**
	 * Sends the response to a rejected request, before Spring MVC could say how to find
	 * its language.
	 */
	void send(HttpServletRequest request, HttpServletResponse response, RuntimeException rejection) {
		if (request.getAttribute(DispatcherServlet.LOCALE_RESOLVER_ATTRIBUTE) == null) {
			request.setAttribute(DispatcherServlet.LOCALE_RESOLVER_ATTRIBUTE, this.locales.get());
		}
		if (!this.cors.tryAllow(request, response) || this.direct.trySend(request, response, null, rejection)) {
			return;
		}
		response.setHeader(HttpHeaders.CACHE_CONTROL, Rejections.NO_STORE);
		ModelAndView view = this.exceptions.get().resolveException(request, response, null, rejection);
		if ((view == null || !view.isEmpty()) && !response.isCommitted()) {
			sendError(response, rejection);
		}
	}

	/**
	 * Sends the standard response to a request that was denied within Spring MVC. Returns
	 * {@code false} if the application or the handler has a response of its own.
	 */
	boolean trySend(HttpServletRequest request, HttpServletResponse response, @Nullable Object handler,
			RuntimeException rejection) {
		return this.direct.trySend(request, response, handler, rejection);
	}

	/**
	 * Sends the bare status, without a handler or with a view that only Spring MVC
	 * renders.
	 */
	private static void sendError(HttpServletResponse response, RuntimeException rejection) {
		try {
			response.sendError(Rejections.status(rejection).value());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

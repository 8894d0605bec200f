package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.web.Rejections;

import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * The responses to servlet requests that are rejected before they reach Spring MVC. They
 * come from the exception handling of the application, as within Spring MVC.
 */
public final class ServletRejections {

	private final Supplier<HandlerExceptionResolver> exceptions;

	private final ServletCors cors;

	/**
	 * Creates responses.
	 * @param exceptions supplies the resolver of the application's exceptions
	 * @param cors the CORS configuration of the responses
	 */
	public ServletRejections(Supplier<HandlerExceptionResolver> exceptions, ServletCors cors) {
		this.exceptions = exceptions;
		this.cors = cors;
	}

	/** Returns whether a request is a preflight that never reaches a handler. */
	boolean isAnsweredPreflight(HttpServletRequest request) {
		return this.cors.isAnsweredPreflight(request);
	}

	/** Sends the response to a rejected request. */
	void send(HttpServletRequest request, HttpServletResponse response, RuntimeException rejection) {
		if (!this.cors.tryAllow(request, response)) {
			return;
		}
		response.setHeader(HttpHeaders.CACHE_CONTROL, Rejections.NO_STORE);
		ModelAndView view = this.exceptions.get().resolveException(request, response, null, rejection);
		if ((view == null || !view.isEmpty()) && !response.isCommitted()) {
			sendError(response, rejection);
		}
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

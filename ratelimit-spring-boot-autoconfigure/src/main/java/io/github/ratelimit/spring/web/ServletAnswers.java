package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers servlet requests that never reach Spring MVC as it would have answered them:
 * through the exception handling of the application.
 */
public final class ServletAnswers {

	private final Supplier<HandlerExceptionResolver> exceptions;

	private final ServletCors cors;

	/**
	 * Answers.
	 * @param exceptions how the application answers exceptions
	 * @param cors who may read the answers
	 */
	public ServletAnswers(Supplier<HandlerExceptionResolver> exceptions, ServletCors cors) {
		this.exceptions = exceptions;
		this.cors = cors;
	}

	/** Whether a request is answered before it leads anywhere. */
	boolean areOfPreflight(HttpServletRequest request) {
		return this.cors.isAnsweredPreflight(request);
	}

	void send(HttpServletRequest request, HttpServletResponse response, RuntimeException refusal) {
		if (!this.cors.tryAllow(request, response)) {
			return;
		}
		response.setHeader(HttpHeaders.CACHE_CONTROL, Refusals.NO_STORE);
		ModelAndView answer = this.exceptions.get().resolveException(request, response, null, refusal);
		if ((answer == null || !answer.isEmpty()) && !response.isCommitted()) {
			sendError(response, refusal);
		}
	}

	/** Where nobody handles it, or by a view, which only Spring MVC could render. */
	private static void sendError(HttpServletResponse response, RuntimeException refusal) {
		try {
			response.sendError(Refusals.status(refusal).value());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers servlet requests that never reach Spring MVC as it would have answered them:
 * through the exception handling of the application.
 */
public final class ServletAnswers {

	private final Supplier<HandlerExceptionResolver> exceptions;

	/**
	 * Answers.
	 * @param exceptions how the application answers exceptions
	 */
	public ServletAnswers(Supplier<HandlerExceptionResolver> exceptions) {
		this.exceptions = exceptions;
	}

	void send(HttpServletRequest request, HttpServletResponse response, RuntimeException refusal) {
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

package io.github.ratelimit.spring.web.servlet;

import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.spring.web.RejectionSettings;

import org.springframework.http.HttpRequest;
import org.springframework.http.server.ServletServerHttpRequest;

/**
 * The exception handler of rejected calls in Spring MVC.
 */
public final class ServletExceptionHandler extends RateLimitExceptionHandler<HttpServletRequest> {

	/**
	 * Creates a handler.
	 * @param settings the parts of the responses
	 * @param order the order among the application's advice
	 */
	public ServletExceptionHandler(RejectionSettings settings, int order) {
		super(settings, order);
	}

	@Override
	protected HttpRequest common(HttpServletRequest request) {
		return new ServletServerHttpRequest(request);
	}

}

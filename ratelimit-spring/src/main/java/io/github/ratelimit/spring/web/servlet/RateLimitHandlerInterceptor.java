package io.github.ratelimit.spring.web.servlet;

import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.servlet.HandlerInterceptor;

/**
 * An interceptor that decides limited handler methods of Spring MVC before the request's
 * body is read and arguments are bound, unless the limits depend on these.
 */
public final class RateLimitHandlerInterceptor implements HandlerInterceptor {

	private final Supplier<ServletRequestLimiter> limiter;

	/**
	 * Creates an interceptor.
	 * @param limiter supplies the limiter at the first request
	 */
	public RateLimitHandlerInterceptor(Supplier<ServletRequestLimiter> limiter) {
		this.limiter = limiter;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		this.limiter.get().admit(handler, request, response);
		return true;
	}

}

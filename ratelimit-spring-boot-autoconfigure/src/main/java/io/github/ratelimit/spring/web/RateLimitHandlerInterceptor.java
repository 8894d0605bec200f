package io.github.ratelimit.spring.web;

import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Decides on limited handler methods of Spring MVC before the request's body is read and
 * arguments are bound, where the limits do not depend on these.
 */
public final class RateLimitHandlerInterceptor implements HandlerInterceptor {

	private final Supplier<ServletDoor> door;

	/**
	 * An interceptor.
	 * @param door asked for at the first request
	 */
	public RateLimitHandlerInterceptor(Supplier<ServletDoor> door) {
		this.door = door;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		this.door.get().admit(handler, request, response);
		return true;
	}

}

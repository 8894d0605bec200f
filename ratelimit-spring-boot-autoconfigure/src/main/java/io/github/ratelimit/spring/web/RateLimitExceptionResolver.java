package io.github.ratelimit.spring.web;

import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Sees every exception of Spring MVC first, and leaves the answer to others. A refusal
 * must not be stored by a cache, whoever answers it. Where the method was not called that
 * rules waited for, they are decided now, and a denial takes the place of the exception.
 */
public final class RateLimitExceptionResolver implements HandlerExceptionResolver, Ordered {

	private final Supplier<ServletDoor> door;

	private final Supplier<HandlerExceptionResolver> others;

	/**
	 * A resolver.
	 * @param door asked for at the first exception
	 * @param others how the application answers exceptions
	 */
	public RateLimitExceptionResolver(Supplier<ServletDoor> door, Supplier<HandlerExceptionResolver> others) {
		this.door = door;
		this.others = others;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		RuntimeException refusal = this.door.get().refusalInPlaceOf(ex, request, response);
		if (refusal == null) {
			return null;
		}
		if (!response.isCommitted()) {
			response.setHeader(HttpHeaders.CACHE_CONTROL, Refusals.NO_STORE);
		}
		return refusal.equals(ex) ? null : this.others.get().resolveException(request, response, handler, refusal);
	}

}

package io.github.ratelimit.spring.web.servlet;

import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.web.Rejections;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * The resolver that sees every exception of Spring MVC first. It sends the standard
 * response to a denial, and leaves all others to the next resolvers. It forbids caches to
 * store the response to a rejection. If rules were deferred to a method that was not
 * called, it decides them, and a denial replaces the exception.
 */
public final class RateLimitExceptionResolver implements HandlerExceptionResolver, Ordered {

	private final Supplier<ServletRequestLimiter> limiter;

	private final Supplier<HandlerExceptionResolver> others;

	/**
	 * Creates a resolver.
	 * @param limiter supplies the limiter at the first exception
	 * @param others supplies the resolver of the application's exceptions
	 */
	public RateLimitExceptionResolver(Supplier<ServletRequestLimiter> limiter,
			Supplier<HandlerExceptionResolver> others) {
		this.limiter = limiter;
		this.others = others;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		RuntimeException rejection = this.limiter.get().resolveRejection(ex, request, response);
		if (rejection == null) {
			return null;
		}
		if (this.limiter.get().trySend(request, response, handler, rejection)) {
			return new ModelAndView();
		}
		if (!response.isCommitted()) {
			response.setHeader(HttpHeaders.CACHE_CONTROL, Rejections.NO_STORE);
		}
		return rejection.equals(ex) ? null : this.others.get().resolveException(request, response, handler, rejection);
	}

}

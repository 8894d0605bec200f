package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;
import java.util.function.Supplier;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A filter that sends the responses to rejections in later filters, and leaves committed
 * responses alone. These filters find their request on the thread, also where no filter
 * of Spring MVC has bound it.
 */
public final class RejectionFilter extends OncePerRequestFilter {

	private final Supplier<ServletRequestLimiter> limiter;

	/**
	 * Creates a filter.
	 * @param limiter supplies the limiter at the first rejection
	 */
	public RejectionFilter(Supplier<ServletRequestLimiter> limiter) {
		this.limiter = limiter;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		boolean binds = RequestContextHolder.getRequestAttributes() == null;
		if (binds) {
			RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request, response));
		}
		try {
			chain.doFilter(request, response);
		}
		catch (RuntimeException ex) {
			if (response.isCommitted()) {
				throw ex;
			}
			this.limiter.get().reject(request, response, ex);
		}
		finally {
			if (binds) {
				RequestContextHolder.resetRequestAttributes();
			}
		}
	}

}

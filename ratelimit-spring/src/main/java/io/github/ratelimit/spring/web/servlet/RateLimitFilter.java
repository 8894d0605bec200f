package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;
import java.util.function.Supplier;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.web.RateLimitRule.Phase;

import org.springframework.core.Ordered;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A filter that limits servlet requests by the rules of one phase. It limits a request
 * once, however the container dispatches it, and skips CORS preflights that reach no
 * handler. Before security, it does not serve requests whose client has gone.
 */
public final class RateLimitFilter extends OncePerRequestFilter implements Ordered {

	private final Phase phase;

	private final String filtered;

	private final int order;

	private final Supplier<ServletRequestLimiter> limiter;

	/**
	 * Creates a filter.
	 * @param phase the phase of the rules to apply
	 * @param order the order among the application's filters
	 * @param limiter supplies the limiter at the first request, as a filter exists before
	 * most beans do
	 */
	public RateLimitFilter(Phase phase, int order, Supplier<ServletRequestLimiter> limiter) {
		this.phase = phase;
		this.filtered = RateLimitFilter.class.getName() + '.' + phase;
		this.order = order;
		this.limiter = limiter;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	protected String getAlreadyFilteredAttributeName() {
		return this.filtered;
	}

	/**
	 * Skips includes, whose response is another's, and all dispatches if nothing is left
	 * to do: the first filter also observes the end of requests. A forward passes if the
	 * filter that forwards is before this one.
	 */
	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		if (this.phase != Phase.BEFORE_SECURITY && !this.limiter.get().has(this.phase)) {
			return true;
		}
		return request.getDispatcherType() == DispatcherType.INCLUDE
				|| (CorsUtils.isPreFlightRequest(request) && this.limiter.get().skips(request));
	}

	/**
	 * Filters async dispatches, as an earlier filter may have started async processing.
	 */
	@Override
	protected boolean shouldNotFilterAsyncDispatch() {
		return false;
	}

	/** Filters error dispatches, in which error pages may charge and hold permits. */
	@Override
	protected boolean shouldNotFilterErrorDispatch() {
		return this.phase != Phase.BEFORE_SECURITY;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		ServletRequestLimiter limiter = this.limiter.get();
		if (this.phase == Phase.BEFORE_SECURITY) {
			if (hasLostItsClient(request)) {
				response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
				return;
			}
			HttpServletRequest readable = limiter.readable(request);
			new EndedRequests(limiter).filter(readable, response,
					(given, measured) -> limit(limiter, readable, (HttpServletResponse) measured, chain));
		}
		else {
			limit(limiter, request, response, chain);
		}
	}

	/**
	 * Returns whether the connection ended before its address was known. Such a request
	 * would pass each block and ban of an address. Tomcat reads the address when it is
	 * first asked for, and remembers it from then on.
	 */
	private static boolean hasLostItsClient(HttpServletRequest request) {
		return request.getRemoteAddr() == null;
	}

	/**
	 * Returns whether Spring Boot's filter of a WAR forwards a request to an error page.
	 */
	private static boolean isErrorPageOfWar(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.FORWARD
				&& request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) != null;
	}

	private void limit(ServletRequestLimiter limiter, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws ServletException, IOException {
		if (ServletRequestLimiter.isErrorPage(request) || isErrorPageOfWar(request) || !limiter.has(this.phase)) {
			chain.doFilter(request, response);
		}
		else if (limiter.tryAdmit(this.phase, request, response)) {
			try {
				chain.doFilter(request, response);
			}
			finally {
				limiter.chargeDeferred(request, response);
			}
		}
	}

}

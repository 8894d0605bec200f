package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.util.function.Supplier;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.web.RateLimitRule.Phase;

import org.springframework.core.Ordered;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits servlet requests by the rules of one phase: once each, however the container
 * dispatches them, and not at all CORS preflights that lead nowhere.
 */
public final class RateLimitFilter extends OncePerRequestFilter implements Ordered {

	private final Phase phase;

	private final int order;

	private final Supplier<ServletDoor> door;

	/**
	 * A filter.
	 * @param phase whose rules apply
	 * @param order among the application's filters
	 * @param door asked for at the first request, as a filter exists before most beans do
	 */
	public RateLimitFilter(Phase phase, int order, Supplier<ServletDoor> door) {
		this.phase = phase;
		this.order = order;
		this.door = door;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	/** Other dispatches are of requests that have passed here before. */
	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		DispatcherType type = request.getDispatcherType();
		return (type != DispatcherType.REQUEST && type != DispatcherType.ASYNC)
				|| (CorsUtils.isPreFlightRequest(request) && this.door.get().leavesOut(request));
	}

	/** A filter before this one may have made the request asynchronous. */
	@Override
	protected boolean shouldNotFilterAsyncDispatch() {
		return false;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		ServletDoor door = this.door.get();
		if (!door.has(this.phase)) {
			chain.doFilter(request, response);
		}
		else if (door.admits(this.phase, request, response)) {
			try {
				chain.doFilter(request, response);
			}
			finally {
				door.settle(request, response);
			}
		}
	}

}

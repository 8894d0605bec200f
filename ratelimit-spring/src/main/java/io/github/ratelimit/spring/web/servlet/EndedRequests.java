package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.expression.ResponseView;
import org.jspecify.annotations.Nullable;

/**
 * Adjusts the charges of requests when they have ended, also asynchronously.
 */
final class EndedRequests {

	private final ServletRequestLimiter limiter;

	EndedRequests(ServletRequestLimiter limiter) {
		this.limiter = limiter;
	}

	/** Serves a request by the rest of a chain. */
	void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		HttpServletResponse served = this.limiter.observed(response);
		this.limiter.find(request).resume();
		Throwable failure = null;
		try {
			chain.doFilter(request, served);
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			end(this.limiter.find(request), request, served, failure);
		}
	}

	private static void end(RequestCharges charges, HttpServletRequest request, HttpServletResponse response,
			@Nullable Throwable failure) {
		if (request.isAsyncStarted()) {
			request.getAsyncContext().addListener(new EndListener(charges, response));
		}
		else {
			charges.end(view(response, failure), failure);
		}
	}

	/** Returns the response as the container will send it after a failure. */
	private static ResponseView view(HttpServletResponse response, @Nullable Throwable failure) {
		int status = (failure != null && !response.isCommitted()) ? HttpServletResponse.SC_INTERNAL_SERVER_ERROR
				: response.getStatus();
		MeasuredResponse measured = MeasuredResponse.find(response);
		return new ResponseView(status, (measured != null) ? measured.size() : 0);
	}

	/**
	 * Ends a request that is served asynchronously. An error ends it too, as Tomcat may
	 * not complete a request whose client has gone.
	 */
	private record EndListener(RequestCharges charges, HttpServletResponse response) implements AsyncListener {

		@Override
		public void onComplete(AsyncEvent event) {
			this.charges.end(view(this.response, null), null);
		}

		@Override
		public void onError(AsyncEvent event) {
			this.charges.end(view(this.response, event.getThrowable()), event.getThrowable());
		}

		@Override
		public void onTimeout(AsyncEvent event) {
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

	}

}

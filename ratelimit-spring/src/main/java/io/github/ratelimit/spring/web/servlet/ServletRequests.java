package io.github.ratelimit.spring.web.servlet;

import java.util.function.Function;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.Admission;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.charge.RequestSource;
import io.github.ratelimit.spring.charge.ServedRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The callers and charges of servlet requests, and the headers that report the charges.
 * The charges are an attribute of the request through all its dispatches.
 */
public final class ServletRequests implements RequestSource {

	private static final String CHARGES = RequestCharges.class.getName();

	private final RateLimitHeaders headers;

	private final Function<HttpServletRequest, Caller> callers;

	/**
	 * Creates servlet requests.
	 * @param headers the headers of responses
	 * @param callers returns the caller of a request
	 */
	public ServletRequests(RateLimitHeaders headers, Function<HttpServletRequest, Caller> callers) {
		this.headers = headers;
		this.callers = callers;
	}

	@Override
	public RequestCharges current() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
				&& known(attributes.getRequest()) instanceof RequestCharges charges) ? charges : RequestCharges.NONE;
	}

	/** Allows for an application that binds a request to a thread that outlives it. */
	private static @Nullable Object known(HttpServletRequest request) {
		try {
			return request.getAttribute(CHARGES);
		}
		catch (IllegalStateException ex) {
			return null;
		}
	}

	/** Returns the caller of a request. */
	Caller caller(HttpServletRequest request) {
		return this.callers.apply(request);
	}

	/** Returns the charges of a request, none before its first call. */
	RequestCharges find(HttpServletRequest request) {
		return (request.getAttribute(CHARGES) instanceof RequestCharges charges) ? charges : RequestCharges.NONE;
	}

	/** Returns the charges of a request, and starts them at its first call. */
	RequestCharges of(HttpServletRequest request, HttpServletResponse response) {
		RequestCharges known = find(request);
		if (known.exists()) {
			return known;
		}
		RequestCharges charges = new RequestCharges(new Served(request, response));
		request.setAttribute(CHARGES, charges);
		return charges;
	}

	/** Returns a response to which others add no headers of the limiter's. */
	HttpServletResponse reporting(HttpServletResponse response) {
		return ReportingResponse.of(response, this.headers);
	}

	/** A request whose response has the headers of its decisions. */
	private final class Served implements ServedRequest {

		private final HttpServletRequest request;

		private final HttpServletResponse response;

		Served(HttpServletRequest request, HttpServletResponse response) {
			this.request = request;
			this.response = response;
		}

		@Override
		public void decided(Decision decision) {
			if (!this.response.isCommitted()) {
				ReportingResponse.report(this.response, ServletRequests.this.headers.of(decision));
			}
		}

		@Override
		public void awaitResult(Admission call) {
			LateResult.await(this.request, call);
		}

	}

}

package io.github.ratelimit.spring.web;

import java.util.function.Function;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RequestCharges;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.key.Caller;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Who sent servlet requests, and what these have been charged, kept with the request
 * through all its dispatches; and the headers that tell of it.
 */
public final class ServletRequests {

	private static final String CHARGES = RequestCharges.class.getName();

	private final RateLimitHeaders headers;

	private final Function<HttpServletRequest, Caller> callers;

	/**
	 * Servlet requests.
	 * @param headers that responses get
	 * @param callers who sent a request
	 */
	public ServletRequests(RateLimitHeaders headers, Function<HttpServletRequest, Caller> callers) {
		this.headers = headers;
		this.callers = callers;
	}

	/**
	 * What the request has been charged that this thread serves.
	 * @return its charges; outside a request, those of none
	 */
	public RequestCharges current() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
				&& known(attributes.getRequest()) instanceof RequestCharges charges) ? charges : RequestCharges.NONE;
	}

	/** An application may bind a request to a thread that outlives it. */
	private static @Nullable Object known(HttpServletRequest request) {
		try {
			return request.getAttribute(CHARGES);
		}
		catch (IllegalStateException ex) {
			return null;
		}
	}

	Caller caller(HttpServletRequest request) {
		return this.callers.apply(request);
	}

	RequestCharges of(HttpServletRequest request, HttpServletResponse response) {
		if (request.getAttribute(CHARGES) instanceof RequestCharges charges) {
			return charges;
		}
		RequestCharges charges = new RequestCharges((decision) -> tell(decision, response));
		request.setAttribute(CHARGES, charges);
		return charges;
	}

	private void tell(Decision decision, HttpServletResponse response) {
		if (!response.isCommitted()) {
			this.headers.of(decision).forEach(response::setHeader);
		}
	}

}

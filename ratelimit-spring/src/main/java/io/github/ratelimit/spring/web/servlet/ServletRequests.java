package io.github.ratelimit.spring.web.servlet;

import java.util.function.Function;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.charge.RequestSource;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The callers and charges of servlet requests, and the headers that report the charges.
 * They are an attribute of the request through all its dispatches.
 */
public final class ServletRequests implements RequestSource {

	private static final String LIMITED = LimitedRequest.class.getName();

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
				&& known(attributes.getRequest()) instanceof LimitedRequest known) ? known.charges()
						: RequestCharges.NONE;
	}

	/** Allows for an application that binds a request to a thread that outlives it. */
	private static @Nullable Object known(HttpServletRequest request) {
		try {
			return request.getAttribute(LIMITED);
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
		return (request.getAttribute(LIMITED) instanceof LimitedRequest known) ? known.charges() : RequestCharges.NONE;
	}

	/** Returns a request with its charges, and starts these at its first call. */
	LimitedRequest of(HttpServletRequest request, HttpServletResponse response) {
		if (request.getAttribute(LIMITED) instanceof LimitedRequest known) {
			return known;
		}
		LimitedRequest limited = new LimitedRequest(request, response, this.headers);
		request.setAttribute(LIMITED, limited);
		return limited;
	}

	/** Returns a response to which others add no headers of the limiter's. */
	HttpServletResponse reporting(HttpServletResponse response) {
		return ReportingResponse.of(response, this.headers);
	}

}

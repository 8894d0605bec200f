package io.github.ratelimit.spring.web.servlet;

import java.util.List;
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
import io.github.ratelimit.spring.web.AppliedRules;
import io.github.ratelimit.spring.web.RateLimitRule;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The callers and charges of servlet requests, and the headers that report the charges.
 * The charges, and the rules that were applied, are an attribute of the request through
 * all its dispatches.
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

	/**
	 * A request through all its dispatches: its charges, the rules that were applied to
	 * it, and its response, which gets the headers of its decisions.
	 */
	static final class LimitedRequest implements ServedRequest {

		private final HttpServletRequest request;

		private final HttpServletResponse response;

		private final RateLimitHeaders headers;

		private final RequestCharges charges = new RequestCharges(this);

		/**
		 * The rules that were applied so far; {@code null} before the first look for any.
		 */
		private volatile @Nullable AppliedRules applied;

		LimitedRequest(HttpServletRequest request, HttpServletResponse response, RateLimitHeaders headers) {
			this.request = request;
			this.response = response;
			this.headers = headers;
		}

		RequestCharges charges() {
			return this.charges;
		}

		/**
		 * Returns whether a filter changed the method or path since rules were applied,
		 * or the request was forwarded.
		 */
		boolean isRewritten(HttpServletRequest now) {
			AppliedRules applied = this.applied;
			return applied != null && !applied.isFor(HttpMethod.valueOf(now.getMethod()), now.getRequestURI());
		}

		/**
		 * Returns those of the rules that the request now matches that it did not before.
		 */
		List<RateLimitRule> notApplied(List<RateLimitRule> matching) {
			return applied().missing(matching);
		}

		/** Records that rules are applied to the request as it is now. */
		void apply(List<RateLimitRule> rules, HttpMethod method, HttpServletRequest now) {
			this.applied = applied().and(method, now.getRequestURI(), rules);
		}

		private AppliedRules applied() {
			AppliedRules applied = this.applied;
			return (applied != null) ? applied : AppliedRules.NONE;
		}

		@Override
		public void decided(Decision decision) {
			if (!this.response.isCommitted()) {
				ReportingResponse.report(decision, this.headers, this.response);
			}
		}

		@Override
		public void awaitResult(Admission call) {
			LateResult.await(this.request, call);
		}

	}

}

package io.github.ratelimit.spring.web.servlet;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitHeaders;
import io.github.ratelimit.spring.charge.Admission;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.charge.ServedRequest;
import io.github.ratelimit.spring.web.AppliedRules;
import io.github.ratelimit.spring.web.RateLimitRule;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;

/**
 * A request through all its dispatches: its charges, the rules that were applied to it,
 * and its response, which gets the headers of its decisions.
 */
final class LimitedRequest implements ServedRequest {

	private final HttpServletRequest request;

	private final HttpServletResponse response;

	private final RateLimitHeaders headers;

	private final RequestCharges charges = new RequestCharges(this);

	/** The rules that were applied so far; {@code null} before the first look for any. */
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
	 * Returns whether a filter changed the method or path since rules were applied, or
	 * the request was forwarded.
	 */
	boolean isRewritten(HttpServletRequest now) {
		AppliedRules applied = this.applied;
		return applied != null && !applied.isFor(HttpMethod.valueOf(now.getMethod()), now.getRequestURI());
	}

	/** Returns those of the rules that the request now matches that it did not before. */
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

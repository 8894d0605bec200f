package io.github.ratelimit.spring.web;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.RequestCharges;
import io.github.ratelimit.UnsatisfiableCostException;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.spring.web.HandlerLimits.HandlerLimit;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.web.context.support.WebApplicationContextUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * Decides on servlet requests on their way to the method that serves them: by the rules
 * of each phase, then by what limits the method.
 */
public final class ServletDoor {

	private final RateLimiter limiter;

	private final RateLimitRules rules;

	private final ServletRequests requests;

	private final ServletHandlers handlers;

	private final ServletAnswers answers;

	/**
	 * A door.
	 * @param limiter decides
	 * @param rules which requests are limited
	 * @param requests who sent requests, and what they have been charged
	 * @param handlers what limits the methods that serve them
	 * @param answers for requests that may not enter
	 */
	public ServletDoor(RateLimiter limiter, RateLimitRules rules, ServletRequests requests, ServletHandlers handlers,
			ServletAnswers answers) {
		this.limiter = limiter;
		this.rules = rules;
		this.requests = requests;
		this.handlers = handlers;
		this.answers = answers;
	}

	boolean has(Phase phase) {
		return this.rules.has(phase);
	}

	/** Whether a preflight is none of the rules' concern. */
	boolean leavesOut(HttpServletRequest preflight) {
		return this.answers.areOfPreflight(preflight);
	}

	/**
	 * Whether a request may go on after the rules of a phase; if not, it is answered. It
	 * may also where the rules are left to be decided together with the method's limits.
	 */
	boolean admits(Phase phase, HttpServletRequest request, HttpServletResponse response) {
		RequestCharges charges = this.requests.of(request, response);
		if (charges.isAdmittedAgain(phase)) {
			return true;
		}
		try {
			decide(phase, request, charges);
			charges.admit(phase);
			return true;
		}
		catch (RateLimitExceededException | RateLimitStoreException | UnsatisfiableCostException
				| RefusedCallerException ex) {
			this.answers.send(request, response, ex);
			return false;
		}
	}

	/**
	 * Charges what was left to a method that was not called after all, because something
	 * else answered or its arguments could not be bound. It is too late to deny.
	 */
	void settle(HttpServletRequest request, HttpServletResponse response) {
		List<Charge> left = this.requests.of(request, response).deferredAnd(List.of());
		if (left.isEmpty()) {
			return;
		}
		try {
			this.limiter.acquire(withoutWaiting(left));
		}
		catch (RateLimitStoreException | UnsatisfiableCostException ex) {
			// Listeners have been told, and the client has its answer.
		}
	}

	/**
	 * Returns the refusal with which a request ends that failed: what it failed with; or
	 * the denial of rules that waited for a method which was not called, as its arguments
	 * could not be bound; or {@code null} if it was not refused.
	 */
	@Nullable RuntimeException refusalInPlaceOf(Exception failure, HttpServletRequest request, HttpServletResponse response) {
		if (Refusals.isOne(failure)) {
			return (RuntimeException) failure;
		}
		RequestCharges charges = this.requests.of(request, response);
		try {
			decide(charges, withoutWaiting(charges.deferredAnd(List.of())), null);
			return null;
		}
		catch (RateLimitExceededException | RateLimitStoreException | UnsatisfiableCostException ex) {
			return ex;
		}
	}

	/** Throws where the request may not go on to its handler. */
	void admit(Object handler, HttpServletRequest request, HttpServletResponse response) {
		RequestCharges charges = this.requests.of(request, response);
		charges.defer(chargesOfRewrittenPath(request));
		HandlerLimit limit = (handler instanceof HandlerMethod method) ? this.handlers.limit(method) : null;
		if (limit == null) {
			decide(charges, charges.deferredAnd(List.of()), null);
		}
		else if (limit.charges() != null && !(isDispatchedAgain(request) && charges.isAdmittedAgain(limit.method()))) {
			decide(charges, charges.deferredAnd(limit.charges().apply(this.requests.caller(request))), limit.method());
			charges.admit(limit.method());
		}
	}

	/** An include or a forward is a call of its own, these are not. */
	private static boolean isDispatchedAgain(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.ASYNC
				|| request.getDispatcherType() == DispatcherType.ERROR;
	}

	private void decide(Phase phase, HttpServletRequest request, RequestCharges charges) {
		RuleRequest asking = ruleRequest(request);
		List<RateLimitRule> matching = this.rules.matching(phase, asking);
		meet(request, matching);
		List<Charge> asked = MetRules.charges(matching, asking.caller());
		if (phase == Phase.AFTER_SECURITY && !asked.isEmpty() && this.handlers.isLimited(request)) {
			charges.defer(asked);
		}
		else {
			decide(charges, asked, null);
		}
	}

	/**
	 * What rules charge a request that matches them only since a filter rewrote its path,
	 * or it was forwarded. An error page is no such path.
	 */
	private List<Charge> chargesOfRewrittenPath(HttpServletRequest request) {
		if (!(request.getAttribute(MetRules.ATTRIBUTE) instanceof MetRules met)
				|| request.getDispatcherType() == DispatcherType.ERROR
				|| met.areOf(HttpMethod.valueOf(request.getMethod()), request.getRequestURI())) {
			return List.of();
		}
		RuleRequest asking = ruleRequest(request);
		List<RateLimitRule> missing = met.missing(this.rules.matching(asking));
		meet(request, missing);
		return MetRules.charges(missing, asking.caller());
	}

	private static void meet(HttpServletRequest request, List<RateLimitRule> rules) {
		MetRules before = (request.getAttribute(MetRules.ATTRIBUTE) instanceof MetRules met) ? met : MetRules.NONE;
		request.setAttribute(MetRules.ATTRIBUTE,
				before.and(HttpMethod.valueOf(request.getMethod()), request.getRequestURI(), rules));
	}

	private static List<Charge> withoutWaiting(List<Charge> charges) {
		return charges.stream().map((charge) -> charge.waitingUpTo(Duration.ZERO)).toList();
	}

	private void decide(RequestCharges charges, List<Charge> asked, @Nullable Method method) {
		if (asked.isEmpty()) {
			return;
		}
		Decision decision = this.limiter.acquire(asked);
		charges.decided(decision);
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision, method);
		}
	}

	private RuleRequest ruleRequest(HttpServletRequest request) {
		return new RuleRequest(HttpMethod.valueOf(request.getMethod()), ServletPaths.of(request),
				this.requests.caller(request),
				WebApplicationContextUtils.getWebApplicationContext(request.getServletContext()));
	}

}

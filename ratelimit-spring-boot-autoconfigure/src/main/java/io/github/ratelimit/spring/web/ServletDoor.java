package io.github.ratelimit.spring.web;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.RequestCharges;
import io.github.ratelimit.UnsatisfiableCostException;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.web.HandlerLimits.HandlerLimit;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.http.HttpMethod;
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
			this.limiter.acquire(left.stream().map((charge) -> charge.waitingUpTo(Duration.ZERO)).toList());
		}
		catch (RateLimitStoreException | UnsatisfiableCostException ex) {
			// Listeners have been told, and the client has its answer.
		}
	}

	/** Throws where the request may not go on to its handler. */
	void admit(Object handler, HttpServletRequest request, HttpServletResponse response) {
		RequestCharges charges = this.requests.of(request, response);
		HandlerLimit limit = (handler instanceof HandlerMethod method) ? this.handlers.limit(method) : null;
		Function<Caller, List<Charge>> own = (limit != null) ? limit.charges() : null;
		if (limit != null && own != null && !charges.isAdmittedAgain(limit.method())) {
			decide(charges, charges.deferredAnd(own.apply(this.requests.caller(request))));
			charges.admit(limit.method());
		}
	}

	private void decide(Phase phase, HttpServletRequest request, RequestCharges charges) {
		List<Charge> asked = this.rules.charges(phase, ruleRequest(request));
		if (phase == Phase.AFTER_SECURITY && !asked.isEmpty() && this.handlers.isLimited(request)) {
			charges.defer(asked);
		}
		else {
			decide(charges, asked);
		}
	}

	private void decide(RequestCharges charges, List<Charge> asked) {
		if (asked.isEmpty()) {
			return;
		}
		Decision decision = this.limiter.acquire(asked);
		charges.decided(decision);
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision);
		}
	}

	private RuleRequest ruleRequest(HttpServletRequest request) {
		return new RuleRequest(HttpMethod.valueOf(request.getMethod()), ServletPaths.of(request),
				this.requests.caller(request));
	}

}

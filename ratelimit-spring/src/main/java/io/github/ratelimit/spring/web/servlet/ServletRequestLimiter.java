package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;
import java.util.List;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.Rejections;
import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.RouteLimits;
import io.github.ratelimit.spring.web.RuleRequest;
import io.github.ratelimit.spring.web.servlet.ServletRequests.LimitedRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.security.web.WebAttributes;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.context.support.WebApplicationContextUtils;

/**
 * A limiter of servlet requests. It applies the rules of each phase, then the limits of
 * the handler method.
 */
public final class ServletRequestLimiter {

	private final Gate gate;

	private final RateLimitRules rules;

	private final ServletRequests requests;

	private final ServletHandlerLookup handlers;

	private final RateLimitedMethods methods;

	private final ServletRejections rejections;

	/**
	 * Creates a limiter of requests.
	 * @param limiter decides
	 * @param rules the rules of the application
	 * @param requests the callers and charges of requests
	 * @param handlers the lookup of handler methods and their limits
	 * @param rejections sends the responses to denied requests
	 */
	public ServletRequestLimiter(RateLimiter limiter, RateLimitRules rules, ServletRequests requests,
			ServletHandlerLookup handlers, ServletRejections rejections) {
		this.gate = new Gate(limiter);
		this.rules = rules;
		this.requests = requests;
		this.handlers = handlers;
		this.methods = handlers.methods();
		this.rejections = rejections;
	}

	boolean has(Phase phase) {
		return this.rules.has(phase);
	}

	/**
	 * Returns a request whose form has been read and can be read again, if a rule that it
	 * matches has a field of the form as its key.
	 */
	HttpServletRequest readable(HttpServletRequest request) throws IOException {
		return (this.rules.readsForms() && (FormRequest.isRead(request)
				|| (FormRequest.isReadable(request) && this.rules.readsForm(ruleRequest(request)))))
						? FormRequest.of(request) : request;
	}

	/** Returns a response as the limiter observes it. */
	HttpServletResponse observed(HttpServletResponse response) {
		HttpServletResponse reporting = this.requests.reporting(response);
		return (this.rules.measuresResponses() || this.methods.measuresResponses()) ? MeasuredResponse.of(reporting)
				: reporting;
	}

	/** Returns the charges of a request. */
	RequestCharges find(HttpServletRequest request) {
		return this.requests.find(request);
	}

	/**
	 * Returns whether a dispatch only responds to a request that has failed or was
	 * refused. Spring Security may forward to the page that says so.
	 */
	static boolean isErrorPage(HttpServletRequest request) {
		DispatcherType type = request.getDispatcherType();
		return type == DispatcherType.ERROR
				|| (type == DispatcherType.FORWARD && (request.getAttribute(WebAttributes.ACCESS_DENIED_403) != null
						|| request.getAttribute(WebAttributes.AUTHENTICATION_EXCEPTION) != null));
	}

	/** Returns whether rules skip a preflight. */
	boolean skips(HttpServletRequest preflight) {
		return this.rejections.isAnsweredPreflight(preflight);
	}

	/**
	 * Applies the rules of a phase, or defers them to the decision on the method's
	 * limits. Returns whether the request may proceed; otherwise the response is
	 * complete.
	 */
	boolean tryAdmit(Phase phase, HttpServletRequest request, HttpServletResponse response) {
		LimitedRequest limited = this.requests.of(request, response);
		RequestCharges charges = limited.charges();
		if (charges.tryReadmit(phase)) {
			return true;
		}
		try {
			decide(phase, request, limited);
			charges.admit(phase);
			return true;
		}
		catch (RuntimeException ex) {
			this.rejections.send(request, response, Rejections.require(ex));
			return false;
		}
	}

	/** Sends the response to a request that another component rejected. */
	void reject(HttpServletRequest request, HttpServletResponse response, RuntimeException failure) {
		this.rejections.send(request, response, Rejections.require(failure));
	}

	/**
	 * Makes the charges that were deferred to a method that was not called after all,
	 * because its arguments could not be bound or another component sent the response. It
	 * is too late to deny.
	 */
	void chargeDeferred(HttpServletRequest request, HttpServletResponse response) {
		RequestCharges charges = this.requests.of(request, response).charges();
		try {
			this.gate.charge(charges.removeDeferred(), charges);
		}
		catch (RuntimeException ex) {
			// Listeners were notified, and the client has its response
			Rejections.require(ex);
		}
	}

	/**
	 * Returns the rejection of a failed request: the failure itself, or the denial of
	 * rules that were deferred to a method that was not called, or {@code null} if the
	 * request was not rejected.
	 */
	@Nullable RuntimeException resolveRejection(Exception failure, HttpServletRequest request, HttpServletResponse response) {
		if (Rejections.isRejection(failure)) {
			return (RuntimeException) failure;
		}
		RequestCharges charges = this.requests.of(request, response).charges();
		try {
			decide(charges, charges.removeDeferred(), null);
			return null;
		}
		catch (RuntimeException ex) {
			return Rejections.require(ex);
		}
	}

	/**
	 * Sends the standard response to a request that was denied within Spring MVC. Returns
	 * {@code false} if the application or the handler has a response of its own.
	 */
	boolean trySend(HttpServletRequest request, HttpServletResponse response, @Nullable Object handler,
			RuntimeException rejection) {
		return this.rejections.trySend(request, response, handler, rejection);
	}

	/** Decides before a handler is called. Throws if the request is denied. */
	void admit(Object handler, HttpServletRequest request, HttpServletResponse response) {
		LimitedRequest known = this.requests.of(request, response);
		RequestCharges charges = known.charges();
		if (known.isRewritten(request) && !isErrorPage(request)) {
			charges.defer(chargesOfRewrittenPath(known, request));
		}
		if (handler instanceof GatewayRoute) {
			return;
		}
		RateLimitedMethod limited = this.handlers.find(handler);
		if (limited != null) {
			charges.handleBy(limited.method());
		}
		if (limited == null || handler instanceof HttpRequestHandler) {
			decide(charges, charges.withDeferred(() -> CallCharges.NONE), null);
		}
		else if (!limited.isDecidedAtCall() && !limited.waitsWithoutThread() && !limited.isSecured()) {
			admit(limited, charges, request);
		}
	}

	/**
	 * Decides the limits of a route that the request has not passed before, together with
	 * the deferred rules. Throws if the request is denied.
	 */
	void admit(RouteLimits routes, List<RouteLimit> limits, Route route, HttpServletRequest request,
			HttpServletResponse response) {
		RequestCharges charges = this.requests.of(request, response).charges();
		List<RouteLimit> due = charges.notAdmitted(limits);
		decide(charges, charges.withDeferred(() -> routes.charges(due, this.requests.caller(request), route)), null);
		due.forEach(charges::admit);
	}

	private void admit(RateLimitedMethod method, RequestCharges charges, HttpServletRequest request) {
		if (isDispatchedAgain(request) && charges.tryReadmit(method.method())) {
			return;
		}
		decide(charges, charges.withDeferred(() -> method.charges(this.requests.caller(request))), method);
		charges.admit(method.method());
	}

	/** Returns whether this is the same call again, unlike an include or a forward. */
	private static boolean isDispatchedAgain(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.ASYNC
				|| request.getDispatcherType() == DispatcherType.ERROR;
	}

	private void decide(Phase phase, HttpServletRequest request, LimitedRequest limited) {
		CallCharges ruleCharges = ruleCharges(phase, request, limited);
		if (phase == Phase.AFTER_SECURITY && !ruleCharges.isEmpty() && this.handlers.isLimited(request)) {
			limited.charges().defer(ruleCharges);
		}
		else {
			decide(limited.charges(), ruleCharges, null);
		}
	}

	/**
	 * Returns the charges of rules of a phase, and of earlier ones if a filter has
	 * rewritten the path since these were applied. Before security, it is too early for
	 * those of all phases.
	 */
	private CallCharges ruleCharges(Phase phase, HttpServletRequest request, LimitedRequest limited) {
		if (phase != Phase.BEFORE_SECURITY && limited.isRewritten(request)) {
			return chargesOfRewrittenPath(limited, request);
		}
		RuleRequest ruleRequest = ruleRequest(request);
		return apply(this.rules.matching(phase, ruleRequest), ruleRequest, limited, request);
	}

	/** Returns the charges of rules that a request matches only since then. */
	private CallCharges chargesOfRewrittenPath(LimitedRequest limited, HttpServletRequest request) {
		RuleRequest ruleRequest = ruleRequest(request);
		return apply(limited.notApplied(this.rules.matching(ruleRequest)), ruleRequest, limited, request);
	}

	/** Applies rules that a request matches, once, and returns their charges. */
	private static CallCharges apply(List<RateLimitRule> rules, RuleRequest ruleRequest, LimitedRequest limited,
			HttpServletRequest request) {
		limited.apply(rules, ruleRequest.method(), request);
		return RateLimitRules.charges(rules, ruleRequest);
	}

	/** Decides charges that end with the request. Throws if it is denied. */
	private void decide(RequestCharges request, CallCharges charges, @Nullable RateLimitedMethod method) {
		this.gate.enter(charges.untilRequestEnds(), request, (method != null) ? method.name() : null);
	}

	private RuleRequest ruleRequest(HttpServletRequest request) {
		HttpMethod method = HttpMethod.valueOf(request.getMethod());
		Caller caller = this.requests.caller(request);
		ApplicationContext server = WebApplicationContextUtils.getWebApplicationContext(request.getServletContext());
		String path = ServletPaths.only(request);
		return (path != null) ? new RuleRequest(method, path, caller, server)
				: new RuleRequest(method, ServletPaths.of(request), caller, server);
	}

}

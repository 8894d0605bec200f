package io.github.ratelimit.spring.web.reactive;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Handover;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.web.AppliedRules;
import io.github.ratelimit.spring.web.PathReadings;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.Rejections;
import io.github.ratelimit.spring.web.RouteLimit;
import io.github.ratelimit.spring.web.RouteLimits;
import io.github.ratelimit.spring.web.RuleRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ServerWebExchange;

/**
 * A limiter of WebFlux requests. It applies the rules of each phase, then the limits of
 * the handler method.
 */
public final class ReactiveRequestLimiter {

	private final RateLimiter limiter;

	private final RateLimitRules rules;

	private final ReactiveRequests requests;

	private final ReactiveHandlerLookup handlers;

	private final ReactiveRejections rejections;

	/**
	 * Creates a limiter of requests.
	 * @param limiter decides
	 * @param rules the rules of the application
	 * @param requests the callers and charges of requests
	 * @param handlers the lookup of handler methods and their limits
	 * @param rejections sends the responses to denied requests
	 */
	public ReactiveRequestLimiter(RateLimiter limiter, RateLimitRules rules, ReactiveRequests requests,
			ReactiveHandlerLookup handlers, ReactiveRejections rejections) {
		this.limiter = limiter;
		this.rules = rules;
		this.requests = requests;
		this.handlers = handlers;
		this.rejections = rejections;
	}

	boolean has(Phase phase) {
		return this.rules.has(phase);
	}

	/**
	 * Applies the rules of a phase, or defers them to the decision on the method's
	 * limits. Emits whether the request may proceed; otherwise the response is complete.
	 */
	Mono<Boolean> tryAdmit(Phase phase, ServerWebExchange exchange) {
		return tryAdmit(exchange, phase, (request) -> this.rules.matching(phase, request));
	}

	/**
	 * Returns whether a request may match a rule of a phase. One that does not meets no
	 * rules, which is remembered, as it matches more if a filter rewrites its path.
	 */
	boolean mayMatch(Phase phase, ServerWebExchange exchange) {
		RuleRequest request = request(exchange, Caller.NONE);
		boolean mayMatch = this.rules.mayMatch(phase, request);
		if (!mayMatch) {
			meet(exchange, List.of());
		}
		return mayMatch;
	}

	/** Returns whether calls are charged by the size of the response. */
	boolean measuresResponses() {
		return this.rules.measuresResponses() || this.handlers.methods().measuresResponses();
	}

	/** Returns the charges of an exchange, or null without any. */
	@Nullable RequestCharges find(ServerWebExchange exchange) {
		return this.requests.find(exchange);
	}

	/** Returns whether a filter changed the method or path since a request met rules. */
	boolean isRewritten(ServerWebExchange exchange) {
		AppliedRules met = exchange.getAttribute(AppliedRules.ATTRIBUTE);
		return met != null && !met.isFor(exchange.getRequest().getMethod(), path(exchange));
	}

	/**
	 * Applies the rules that a request did not meet before. Emits whether it may proceed;
	 * otherwise the response is complete.
	 */
	Mono<Boolean> tryAdmitRewritten(ServerWebExchange exchange) {
		AppliedRules met = exchange.getAttributeOrDefault(AppliedRules.ATTRIBUTE, AppliedRules.NONE);
		return tryAdmit(exchange, Phase.AFTER_SECURITY, (request) -> met.missing(this.rules.matching(request)));
	}

	private Mono<Boolean> tryAdmit(ServerWebExchange exchange, Phase phase,
			Function<RuleRequest, List<RateLimitRule>> matching) {
		return this.requests.caller(exchange)
			.<CallCharges>handle((caller, sink) -> sink.next(meet(exchange, caller, matching)))
			.filter((ruleCharges) -> !ruleCharges.isEmpty())
			.flatMap((ruleCharges) -> deferOrDecide(phase, exchange, ruleCharges))
			.thenReturn(true)
			.onErrorResume(Rejections::isRejection, (ex) -> this.rejections.send(exchange, ex).thenReturn(false));
	}

	private static CallCharges meet(ServerWebExchange exchange, Caller caller,
			Function<RuleRequest, List<RateLimitRule>> matching) {
		RuleRequest request = request(exchange, caller);
		List<RateLimitRule> rules = matching.apply(request);
		meet(exchange, rules);
		return RateLimitRules.charges(rules, request);
	}

	private static RuleRequest request(ServerWebExchange exchange, Caller caller) {
		return new RuleRequest(exchange.getRequest().getMethod(),
				PathReadings.of(exchange.getRequest().getPath().pathWithinApplication()), caller,
				exchange.getApplicationContext());
	}

	private static void meet(ServerWebExchange exchange, List<RateLimitRule> rules) {
		AppliedRules before = exchange.getAttributeOrDefault(AppliedRules.ATTRIBUTE, AppliedRules.NONE);
		exchange.getAttributes()
			.put(AppliedRules.ATTRIBUTE, before.and(exchange.getRequest().getMethod(), path(exchange), rules));
	}

	private static String path(ServerWebExchange exchange) {
		return exchange.getRequest().getPath().value();
	}

	/**
	 * Makes the charges that were deferred to a method that was not called after all,
	 * because its arguments could not be bound or another component sent the response. It
	 * is too late to deny.
	 */
	void chargeDeferred(ServerWebExchange exchange) {
		RequestCharges charges = this.requests.of(exchange);
		CallCharges deferred = charges.removeDeferred();
		if (!deferred.isEmpty()) {
			reservation(exchange, deferred.charges())
				.subscribe((reservation) -> charges.open(reservation, deferred, this.limiter), (ex) -> {
				});
		}
	}

	/** Returns whether a handler is decided before its call. */
	boolean decidesBeforeCall(Object handler) {
		return this.handlers.findDecidedBeforeCall(handler) != null;
	}

	/**
	 * Returns whether a handler is decided at its call, to which rules may be deferred.
	 */
	boolean decidesAtCall(Object handler) {
		return this.handlers.isLimited(handler) && !decidesBeforeCall(handler);
	}

	/**
	 * Records the handler of an exchange, which is decided at its call. Emits the handler
	 * to call, which knows the exchange.
	 */
	Mono<HandlerMethod> serve(ServerWebExchange exchange, HandlerMethod handler) {
		RequestCharges charges = this.requests.of(exchange);
		RateLimitedMethod method = this.handlers.require(handler);
		charges.handleBy(method.method());
		return method.isDecidedAtSubscription() ? Mono.just(handler)
				: this.requests.caller(exchange).map((caller) -> this.handlers.serving(handler, caller, charges));
	}

	/**
	 * Decides the rules that were deferred to a method that was not called, as its
	 * arguments could not be bound. Fails if they deny.
	 */
	Mono<Void> decideDeferred(ServerWebExchange exchange) {
		RequestCharges charges = this.requests.of(exchange);
		return decide(exchange, charges.removeDeferred(), null);
	}

	/**
	 * Decides before the call of a limited handler. Emits the handler to call, or nothing
	 * if the request is denied and the response complete, or fails.
	 */
	Mono<HandlerMethod> admit(Object handler, ServerWebExchange exchange) {
		RateLimitedMethod method = Objects.requireNonNull(this.handlers.findDecidedBeforeCall(handler));
		RequestCharges charges = this.requests.of(exchange);
		return this.requests.caller(exchange)
			.<CallCharges>handle((caller, sink) -> sink.next(charges.withDeferred(() -> method.charges(caller))))
			.flatMap((all) -> decide(exchange, all, method))
			.then(Mono.justOrEmpty(this.handlers.bypassing((HandlerMethod) handler, method)))
			.onErrorResume(RateLimitExceededException.class, (denial) -> respond(exchange, denial));
	}

	private <T> Mono<T> respond(ServerWebExchange exchange, RateLimitExceededException denial) {
		Mono<Void> response = this.rejections.direct(exchange, denial);
		return (response != null) ? response.then(Mono.empty()) : Mono.error(denial);
	}

	/**
	 * Decides the limits of a route that the request has not passed before, together with
	 * the deferred rules. Emits whether the request may proceed; otherwise the response
	 * is complete.
	 */
	Mono<Boolean> tryAdmit(RouteLimits routes, List<RouteLimit> limits, Route route, ServerWebExchange exchange) {
		RequestCharges charges = this.requests.of(exchange);
		List<RouteLimit> due = charges.notAdmitted(limits);
		return this.requests.caller(exchange)
			.<CallCharges>handle(
					(caller, sink) -> sink.next(charges.withDeferred(() -> routes.charges(due, caller, route))))
			.flatMap((all) -> decide(exchange, all, null))
			.then(Mono.fromSupplier(() -> {
				due.forEach(charges::admit);
				return true;
			}))
			.onErrorResume(Rejections::isRejection, (ex) -> this.rejections.send(exchange, ex).thenReturn(false));
	}

	private Mono<Void> deferOrDecide(Phase phase, ServerWebExchange exchange, CallCharges ruleCharges) {
		if (phase != Phase.AFTER_SECURITY || !this.handlers.mayBeJoinable()) {
			return decide(exchange, ruleCharges, null);
		}
		RequestCharges charges = this.requests.of(exchange);
		return this.handlers.isJoinable(exchange)
			.flatMap((isJoinable) -> isJoinable ? Mono.fromRunnable(() -> charges.defer(ruleCharges))
					: decide(exchange, ruleCharges, null));
	}

	private Mono<Void> decide(ServerWebExchange exchange, CallCharges charges, @Nullable RateLimitedMethod method) {
		if (charges.isEmpty()) {
			return Mono.empty();
		}
		RequestCharges request = this.requests.of(exchange);
		return reservation(exchange, charges.charges()).flatMap((reservation) -> {
			request.addDecision(reservation.decision());
			if (!reservation.decision().allowed()) {
				return Mono.error(new RateLimitExceededException(reservation.decision(),
						(method != null) ? method.name() : null));
			}
			request.open(reservation, charges.untilRequestEnds(), this.limiter);
			return Mono.empty();
		});
	}

	/**
	 * Emits the reservation, away from the threads of the store, which must not serve
	 * requests. The handler finds the thread-locals of the subscriber, such as its
	 * current observation.
	 */
	private Mono<Reservation> reservation(ServerWebExchange exchange, List<Charge> charges) {
		return Mono.just(charges)
			.<CompletableFuture<Reservation>>handle(
					(charged, sink) -> sink.next(this.limiter.reserveAsync(charged).toCompletableFuture()))
			.flatMap((pending) -> Handover.whenDecided(pending, () -> ServingThread.of(exchange),
					this.limiter::refundAsync));
	}

}

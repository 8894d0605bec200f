package io.github.ratelimit.spring.web.reactive;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.Route;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.ReactiveGate;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.expression.ResponseView;
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
import reactor.core.scheduler.Schedulers;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

/**
 * A limiter of WebFlux requests. It applies the rules of each phase, then the limits of
 * the handler method.
 */
public final class ReactiveRequestLimiter {

	private static final String APPLIED = AppliedRules.class.getName();

	private final ReactiveGate gate;

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
		this.gate = new ReactiveGate(new Gate(limiter), (task) -> Schedulers.parallel().schedule(task));
		this.rules = rules;
		this.requests = requests;
		this.handlers = handlers;
		this.rejections = rejections;
	}

	boolean has(Phase phase) {
		return this.rules.has(phase);
	}

	/**
	 * Serves a request by the rest of a chain if the rules of a phase admit it, or are
	 * deferred to the decision on the method's limits; otherwise sends the response.
	 */
	Mono<Void> serve(Phase phase, ServerWebExchange exchange, WebFilterChain chain) {
		return serve(phase, exchange, chain, (request) -> this.rules.matching(phase, request));
	}

	/**
	 * Returns whether a request may match a rule of a phase. If it does not, it is
	 * remembered that no rules apply, as more match if a filter rewrites its path.
	 */
	boolean mayMatch(Phase phase, ServerWebExchange exchange) {
		RuleRequest request = request(exchange, Caller.NONE);
		boolean mayMatch = this.rules.mayMatch(phase, request);
		if (!mayMatch) {
			apply(List.of(), request, exchange);
		}
		return mayMatch;
	}

	/**
	 * Returns whether a request posts a form of which a rule that it matches has a field
	 * as its key.
	 */
	boolean readsForm(ServerWebExchange exchange) {
		return this.rules.readsForms() && FormExchange.isReadable(exchange.getRequest())
				&& this.rules.readsForm(request(exchange, Caller.NONE));
	}

	/** Returns whether calls are charged by the size of the response. */
	boolean measuresResponses() {
		return this.rules.measuresResponses() || this.handlers.methods().measuresResponses();
	}

	/**
	 * Goes on with an exchange that a filter sends through its chain again. Its rules are
	 * applied again, as the permits it held have been released.
	 */
	void resume(ServerWebExchange exchange) {
		RequestCharges charges = find(exchange);
		if (charges.isOver()) {
			charges.resume();
			exchange.getAttributes().remove(APPLIED);
		}
	}

	/** Returns the charges of an exchange. */
	RequestCharges find(ServerWebExchange exchange) {
		return this.requests.find(exchange);
	}

	/**
	 * Releases the permits of a failed exchange. Returns its charges, which end with the
	 * response to the failure.
	 */
	RequestCharges fail(ServerWebExchange exchange, Throwable failure) {
		RequestCharges charges = this.requests.ofFailed(exchange);
		charges.fail(failure);
		return charges;
	}

	/** Ends the charges of an exchange, also those of decisions that are under way. */
	void end(ServerWebExchange exchange, ResponseView response, @Nullable Throwable failure) {
		this.requests.end(exchange, response, failure);
	}

	/** Returns whether a filter changed the method or path since rules were applied. */
	boolean isRewritten(ServerWebExchange exchange) {
		AppliedRules applied = exchange.getAttribute(APPLIED);
		return applied != null && !applied.isFor(exchange.getRequest().getMethod(), path(exchange));
	}

	/**
	 * Serves a request by the rest of a chain if the rules that were not applied before
	 * admit it; otherwise sends the response.
	 */
	Mono<Void> serveRewritten(ServerWebExchange exchange, WebFilterChain chain) {
		return serve(Phase.AFTER_SECURITY, exchange, chain,
				(request) -> applied(exchange).missing(this.rules.matching(request)));
	}

	private Mono<Void> serve(Phase phase, ServerWebExchange exchange, WebFilterChain chain,
			Function<RuleRequest, List<RateLimitRule>> matching) {
		return following(this.requests.caller(exchange), (caller) -> {
			RuleRequest request = request(exchange, caller);
			return deferOrDecide(phase, exchange, apply(matching.apply(request), request, exchange));
		}, () -> serve(exchange, chain), Rejections::isRejection, (ex) -> this.rejections.send(exchange, ex));
	}

	private static RuleRequest request(ServerWebExchange exchange, Caller caller) {
		return new RuleRequest(exchange.getRequest().getMethod(),
				PathReadings.of(exchange.getRequest().getPath().pathWithinApplication()), caller,
				exchange.getApplicationContext());
	}

	/** Applies rules that a request matches, once, and returns their charges. */
	private static CallCharges apply(List<RateLimitRule> rules, RuleRequest request, ServerWebExchange exchange) {
		exchange.getAttributes().put(APPLIED, applied(exchange).and(request.method(), path(exchange), rules));
		return RateLimitRules.charges(rules, request);
	}

	private static AppliedRules applied(ServerWebExchange exchange) {
		return exchange.getAttributeOrDefault(APPLIED, AppliedRules.NONE);
	}

	private static String path(ServerWebExchange exchange) {
		return exchange.getRequest().getPath().value();
	}

	/**
	 * Serves an admitted request by the rest of a chain. Makes the charges that were
	 * deferred to a method that was not called after all, because its arguments could not
	 * be bound or another component sent the response. It is too late to deny.
	 */
	private Mono<Void> serve(ServerWebExchange exchange, WebFilterChain chain) {
		RequestCharges charges = find(exchange);
		return !charges.areDeferred() ? chain.filter(exchange)
				: Mono.defer(() -> chain.filter(exchange))
					.doOnTerminate(() -> chargeDeferred(charges))
					.doOnCancel(() -> chargeDeferred(charges));
	}

	private void chargeDeferred(RequestCharges charges) {
		this.gate.charge(charges.removeDeferred(), charges).subscribe((done) -> {
		}, (ex) -> {
		});
	}

	/** Returns whether a handler is limited. */
	boolean isLimited(Object handler) {
		return this.handlers.isLimited(handler);
	}

	/** Finds the limits of a handler that can be decided before its call, or null. */
	@Nullable RateLimitedMethod findDecidedBeforeCall(Object handler) {
		return this.handlers.findDecidedBeforeCall(handler);
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

	/** Returns whether the decision at the call of a handler may block its thread. */
	boolean mayBlock(HandlerMethod handler) {
		return this.handlers.require(handler).mayBlock();
	}

	/**
	 * Decides the rules that were deferred to a method that was not called, as its
	 * arguments could not be bound. Fails if they deny.
	 */
	Mono<Void> decideDeferred(ServerWebExchange exchange) {
		CallCharges deferred = this.requests.of(exchange).removeDeferred();
		return deferred.isEmpty() ? Mono.empty()
				: deciding(Mono.just(deferred), (charges) -> decide(exchange, charges, null)).then();
	}

	/**
	 * Decides before the call of a limited handler.
	 * @param call calls a handler
	 * @return the result; empty if the request is denied and the response complete
	 */
	<T> Mono<T> serve(ServerWebExchange exchange, HandlerMethod handler, RateLimitedMethod method,
			Function<HandlerMethod, Mono<T>> call) {
		RequestCharges charges = this.requests.of(exchange);
		return following(this.requests.caller(exchange),
				(caller) -> decide(exchange, charges.withDeferred(() -> method.charges(caller)), method),
				() -> this.handlers.bypassing(handler, method).map(call).orElse(Mono.empty()),
				RateLimitExceededException.class::isInstance, (denial) -> respond(exchange, denial));
	}

	private <T> Mono<T> respond(ServerWebExchange exchange, Throwable denial) {
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
		return following(this.requests.caller(exchange),
				(caller) -> decide(exchange, charges.withDeferred(() -> routes.charges(due, caller, route)), null),
				() -> {
					due.forEach(charges::admit);
					return ReactiveGate.ADMITTED;
				}, Rejections::isRejection, (ex) -> this.rejections.send(exchange, ex).thenReturn(false));
	}

	/**
	 * Emits a decision. It is made as a handler of a signal, for which the store finds
	 * the thread-locals of the subscriber, such as its current observation.
	 */
	private static <I> Mono<Boolean> deciding(Mono<I> input, Function<I, Mono<Boolean>> decision) {
		return input.<Mono<Boolean>>handle((value, sink) -> sink.next(decision.apply(value)))
			.flatMap(Function.identity());
	}

	/**
	 * Emits what follows a decision, which is made as {@link #deciding} does. One that is
	 * there at once takes no further operators. Failures that reject nothing pass
	 * untouched, as Reactor throws errors of the JVM that are signalled again.
	 */
	private static <I, T> Mono<T> following(Mono<I> input, Function<I, Mono<Boolean>> decision,
			Supplier<Mono<T>> admitted, Predicate<Throwable> rejects, Function<Throwable, Mono<T>> rejected) {
		return following(input.handle((value, sink) -> {
			Mono<Boolean> decided = decision.apply(value);
			sink.next(ReactiveGate.isAdmitted(decided) ? admitted
					: () -> following(decided.map((later) -> admitted), rejects, rejected));
		}), rejects, rejected);
	}

	private static <T> Mono<T> following(Mono<Supplier<Mono<T>>> next, Predicate<Throwable> rejects,
			Function<Throwable, Mono<T>> rejected) {
		return next.onErrorResume(rejects, (ex) -> Mono.just(() -> rejected.apply(ex))).flatMap(Supplier::get);
	}

	private Mono<Boolean> deferOrDecide(Phase phase, ServerWebExchange exchange, CallCharges ruleCharges) {
		if (phase != Phase.AFTER_SECURITY || ruleCharges.isEmpty() || !this.handlers.mayBeJoinable(exchange)) {
			return decide(exchange, ruleCharges, null);
		}
		return deciding(this.handlers.isJoinable(exchange), (isJoinable) -> {
			if (!isJoinable) {
				return decide(exchange, ruleCharges, null);
			}
			this.requests.of(exchange).defer(ruleCharges);
			return ReactiveGate.ADMITTED;
		});
	}

	/**
	 * Emits true if the charges are admitted, or fails with the denial. They end with the
	 * request.
	 */
	private Mono<Boolean> decide(ServerWebExchange exchange, CallCharges charges, @Nullable RateLimitedMethod method) {
		return charges.isEmpty() ? ReactiveGate.ADMITTED : this.gate.enter(charges, this.requests.of(exchange),
				(method != null) ? method.name() : null, () -> ServingThread.of(exchange));
	}

}

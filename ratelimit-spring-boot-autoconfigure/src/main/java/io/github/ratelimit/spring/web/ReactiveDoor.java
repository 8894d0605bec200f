package io.github.ratelimit.spring.web;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RequestCharges;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.web.HandlerLimits.HandlerLimit;
import io.github.ratelimit.spring.web.RateLimitRule.Phase;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ServerWebExchange;

/**
 * Decides on reactive requests on their way to the method that serves them: by the rules
 * of each phase, then by what limits the method.
 */
public final class ReactiveDoor {

	private final RateLimiter limiter;

	private final RateLimitRules rules;

	private final ReactiveRequests requests;

	private final ReactiveHandlers handlers;

	private final ReactiveAnswers answers;

	/**
	 * A door.
	 * @param limiter decides
	 * @param rules which requests are limited
	 * @param requests who sent requests, and what they have been charged
	 * @param handlers what limits the methods that serve them
	 * @param answers for requests that may not enter
	 */
	public ReactiveDoor(RateLimiter limiter, RateLimitRules rules, ReactiveRequests requests, ReactiveHandlers handlers,
			ReactiveAnswers answers) {
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
	Mono<Boolean> admits(Phase phase, ServerWebExchange exchange) {
		return admits(exchange, phase, (asking) -> this.rules.matching(phase, asking));
	}

	/** Whether a filter changed the method or path by which a request met rules. */
	boolean isRewritten(ServerWebExchange exchange) {
		MetRules met = exchange.getAttribute(MetRules.ATTRIBUTE);
		return met != null && !met.areOf(exchange.getRequest().getMethod(), path(exchange));
	}

	/**
	 * Whether a request may go on after the rules that it did not meet before; if not, it
	 * is answered.
	 */
	Mono<Boolean> admitsRewritten(ServerWebExchange exchange) {
		MetRules met = exchange.getAttributeOrDefault(MetRules.ATTRIBUTE, MetRules.NONE);
		return admits(exchange, Phase.AFTER_SECURITY, (asking) -> met.missing(this.rules.matching(asking)));
	}

	private Mono<Boolean> admits(ServerWebExchange exchange, Phase phase,
			Function<RuleRequest, List<RateLimitRule>> matching) {
		return this.requests.caller(exchange)
			.map((caller) -> meet(exchange, caller, matching))
			.filter((asked) -> !asked.isEmpty())
			.flatMap((asked) -> deferOrDecide(phase, exchange, asked))
			.thenReturn(true)
			.onErrorResume(Refusals::isOne, (ex) -> this.answers.send(exchange, ex).thenReturn(false));
	}

	private static List<Charge> meet(ServerWebExchange exchange, Caller caller,
			Function<RuleRequest, List<RateLimitRule>> matching) {
		HttpMethod method = exchange.getRequest().getMethod();
		List<RateLimitRule> rules = matching
			.apply(new RuleRequest(method, PathReadings.of(exchange.getRequest().getPath().pathWithinApplication()),
					caller, exchange.getApplicationContext()));
		MetRules before = exchange.getAttributeOrDefault(MetRules.ATTRIBUTE, MetRules.NONE);
		exchange.getAttributes().put(MetRules.ATTRIBUTE, before.and(method, path(exchange), rules));
		return MetRules.charges(rules, caller);
	}

	private static String path(ServerWebExchange exchange) {
		return exchange.getRequest().getPath().value();
	}

	/**
	 * Charges what was left to a method that was not called after all, because something
	 * else answered or its arguments could not be bound. It is too late to deny.
	 */
	void settle(ServerWebExchange exchange) {
		List<Charge> left = this.requests.of(exchange).deferredAnd(List.of());
		if (!left.isEmpty()) {
			decision(withoutWaiting(left)).subscribe((decision) -> {
			}, (ex) -> {
			});
		}
	}

	/** Whether a handler is to be decided on before it is called. */
	boolean limits(Object handler) {
		return this.handlers.limitBeforeCall(handler) != null;
	}

	/** Whether a handler is decided on at its call, for which rules may wait. */
	boolean limitsAtCall(Object handler) {
		return this.handlers.isLimited(handler) && !limits(handler);
	}

	/**
	 * Decides on rules that waited for a method which was not called, as its arguments
	 * could not be bound. Fails where they deny.
	 */
	Mono<Void> decideDeferred(ServerWebExchange exchange) {
		RequestCharges charges = this.requests.of(exchange);
		return decide(charges, withoutWaiting(charges.deferredAnd(List.of())), null);
	}

	/**
	 * The handler as it is to be called now, which is a limited one. Fails where the
	 * request may not go on to it.
	 */
	Mono<HandlerMethod> admit(Object handler, ServerWebExchange exchange) {
		HandlerLimit limit = Objects.requireNonNull(this.handlers.limitBeforeCall(handler));
		Function<Caller, List<Charge>> own = Objects.requireNonNull(limit.charges());
		RequestCharges charges = this.requests.of(exchange);
		return this.requests.caller(exchange)
			.flatMap((caller) -> decide(charges, charges.deferredAnd(own.apply(caller)), limit.method()))
			.then(Mono.justOrEmpty(this.handlers.decided((HandlerMethod) handler, limit)));
	}

	private Mono<Void> deferOrDecide(Phase phase, ServerWebExchange exchange, List<Charge> asked) {
		RequestCharges charges = this.requests.of(exchange);
		Mono<Boolean> defers = (phase == Phase.AFTER_SECURITY) ? this.handlers.areJoinable(exchange) : Mono.just(false);
		return defers
			.flatMap((defer) -> defer ? Mono.fromRunnable(() -> charges.defer(asked)) : decide(charges, asked, null));
	}

	private static List<Charge> withoutWaiting(List<Charge> charges) {
		return charges.stream().map((charge) -> charge.waitingUpTo(Duration.ZERO)).toList();
	}

	private Mono<Void> decide(RequestCharges charges, List<Charge> asked, @Nullable Method method) {
		if (asked.isEmpty()) {
			return Mono.empty();
		}
		return decision(asked).doOnNext(charges::decided)
			.flatMap((decision) -> decision.allowed() ? Mono.empty()
					: Mono.error(() -> new RateLimitExceededException(decision, method)));
	}

	/**
	 * What comes later comes on a thread of the store, which is not for serving requests.
	 */
	private Mono<Decision> decision(List<Charge> charges) {
		return Mono.defer(() -> {
			CompletableFuture<Decision> decision = this.limiter.acquireAsync(charges).toCompletableFuture();
			return decision.isDone() ? Mono.fromFuture(decision)
					: Mono.fromFuture(decision).publishOn(Schedulers.parallel());
		});
	}

}

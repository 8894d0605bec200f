package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Limits methods that return a {@code Mono}, a {@code Flux} or another reactive type that
 * Spring can adapt: every subscription is decided on, and the method called only then.
 */
public final class ReactiveCalls {

	private final ReactiveAdapterRegistry adapters = ReactiveAdapterRegistry.getSharedInstance();

	private final RateLimiter limiter;

	private final @Nullable ReactiveCallerSource callers;

	/**
	 * Reactive calls.
	 * @param limiter decides
	 * @param callers knows whose request a subscriber serves; {@code null} where there
	 * are no reactive requests
	 */
	public ReactiveCalls(RateLimiter limiter, @Nullable ReactiveCallerSource callers) {
		this.limiter = limiter;
		this.callers = callers;
	}

	boolean isInNonBlockingThread() {
		return Schedulers.isInNonBlockingThread();
	}

	boolean areReturnedAs(Class<?> type) {
		return !CompletionStage.class.isAssignableFrom(type) && this.adapters.getAdapter(type) != null;
	}

	/**
	 * The method's answer, decided on at each subscription.
	 * @param thread the caller known when the method was called, for subscribers that
	 * serve no reactive request
	 */
	Object limit(MethodInvocation invocation, RateLimitedMethod method, Caller thread) {
		ReactiveAdapter adapter = Objects
			.requireNonNull(this.adapters.getAdapter(invocation.getMethod().getReturnType()));
		Mono<List<Charge>> admitted = caller(thread).map((caller) -> method.charges(caller, invocation.getArguments()))
			.flatMap(this::admitted);
		Publisher<?> answer = adapter.isMultiValue() ? admitted.flatMapMany((charges) -> proceed(invocation, adapter))
				: admitted.flatMap((charges) -> Mono.from(proceed(invocation, adapter)));
		return adapter.fromPublisher(answer);
	}

	/** The charges, if they have room; where there are none, no store is asked. */
	private Mono<List<Charge>> admitted(List<Charge> charges) {
		if (charges.isEmpty()) {
			return Mono.just(charges);
		}
		return Mono.fromCompletionStage(() -> this.limiter.acquireAsync(charges))
			.flatMap((decision) -> decision.allowed() ? Mono.just(charges)
					: Mono.error(() -> new RateLimitExceededException(decision)));
	}

	private Mono<Caller> caller(Caller thread) {
		return (this.callers != null) ? this.callers.current().defaultIfEmpty(thread) : Mono.just(thread);
	}

	/**
	 * A clone, as an invocation can proceed only once and a subscriber may come again.
	 */
	private static Publisher<?> proceed(MethodInvocation invocation, ReactiveAdapter adapter) {
		try {
			MethodInvocation clone = ((ProxyMethodInvocation) invocation).invocableClone();
			return adapter.toPublisher(clone.proceed());
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

}

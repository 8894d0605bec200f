package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Hold;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RequestCharges;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

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

	private final Refunds refunds;

	private final @Nullable ReactiveCallerSource callers;

	private final Function<ContextView, @Nullable RequestCharges> requests;

	/**
	 * Reactive calls.
	 * @param limiter decides
	 * @param callers knows whose request a subscriber serves; {@code null} where there
	 * are no reactive requests
	 * @param requests knows what the request has been charged that a subscriber serves,
	 * if it serves any
	 */
	public ReactiveCalls(RateLimiter limiter, @Nullable ReactiveCallerSource callers,
			Function<ContextView, @Nullable RequestCharges> requests) {
		this.limiter = limiter;
		this.refunds = new Refunds(limiter);
		this.callers = callers;
		this.requests = requests;
	}

	boolean isInNonBlockingThread() {
		return Schedulers.isInNonBlockingThread();
	}

	/**
	 * The method's answer, decided on at each subscription.
	 * @param thread the caller known when the method was called, for subscribers that
	 * serve no reactive request
	 * @param threadRequest what the request has been charged that the thread served then,
	 * for those subscribers too
	 */
	Object limit(MethodInvocation invocation, RateLimitedMethod method, Caller thread, RequestCharges threadRequest) {
		ReactiveAdapter adapter = Objects
			.requireNonNull(this.adapters.getAdapter(invocation.getMethod().getReturnType()));
		Mono<Optional<Hold>> admission = Mono.deferContextual((context) -> {
			RequestCharges request = request(context, threadRequest);
			return request.take(method.method()) ? Mono.just(Optional.empty())
					: caller(thread).map((caller) -> method.charges(caller, invocation.getArguments()))
						.flatMap((charges) -> admitted(request.deferredAnd(charges), request));
		});
		Publisher<?> answer = adapter.isMultiValue()
				? admission
					.flatMapMany((hold) -> Flux.from(proceed(invocation, adapter)).doOnError(refund(hold, method)))
				: admission.flatMap((hold) -> Mono.from(proceed(invocation, adapter)).doOnError(refund(hold, method)));
		return adapter.fromPublisher(answer);
	}

	/**
	 * What is held, if the charges have room; where there are none, no store is asked.
	 */
	private Mono<Optional<Hold>> admitted(List<Charge> charges, RequestCharges request) {
		if (charges.isEmpty()) {
			return Mono.just(Optional.empty());
		}
		return Mono.fromCompletionStage(() -> this.limiter.holdAsync(charges))
			.doOnNext((hold) -> request.decided(hold.decision()))
			.flatMap((hold) -> hold.decision().allowed() ? Mono.just(Optional.of(hold))
					: Mono.error(() -> new RateLimitExceededException(hold.decision())));
	}

	private Consumer<Throwable> refund(Optional<Hold> hold, RateLimitedMethod method) {
		return (failure) -> hold.ifPresent((held) -> this.refunds.after(failure, held, method));
	}

	private RequestCharges request(ContextView context, RequestCharges thread) {
		RequestCharges request = this.requests.apply(context);
		return (request != null) ? request : thread;
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

package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
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
 * Spring can adapt, and Kotlin's suspend functions: every subscription is decided on, and
 * the method called only then. Cancelling it before refunds what the call was charged.
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
		ReactiveAdapter adapter = adapter(invocation.getMethod(), method.answers());
		Mono<Optional<Hold>> admission = Mono.deferContextual((context) -> {
			RequestCharges request = request(context, threadRequest);
			return request.take(method.method()) ? Mono.just(Optional.empty())
					: caller(thread).map((caller) -> method.charges(caller, invocation.getArguments()))
						.flatMap((charges) -> admitted(request.deferredAnd(charges), request, method));
		});
		Publisher<?> answer = adapter.isMultiValue()
				? admission
					.flatMapMany((hold) -> Flux.from(proceed(invocation, adapter)).doOnError(refund(hold, method)))
				: admission.flatMap((hold) -> Mono.from(proceed(invocation, adapter)).doOnError(refund(hold, method)));
		return adapter.fromPublisher(answer);
	}

	private ReactiveAdapter adapter(Method method, AnswerKind answers) {
		return Objects.requireNonNull(this.adapters.getAdapter(switch (answers) {
			case SUSPENDED -> Mono.class;
			case SUSPENDED_FLOW -> Flux.class;
			default -> method.getReturnType();
		}));
	}

	/**
	 * What is held, if the charges have room; where there are none, no store is asked. A
	 * subscriber that cancels before gets back what it was charged.
	 */
	private Mono<Optional<Hold>> admitted(List<Charge> charges, RequestCharges request, RateLimitedMethod method) {
		if (charges.isEmpty()) {
			return Mono.just(Optional.empty());
		}
		return Mono.fromFuture(() -> this.limiter.holdAsync(charges).toCompletableFuture())
			.doOnDiscard(Hold.class, this.refunds::all)
			.doOnNext((hold) -> request.decided(hold.decision()))
			.flatMap((hold) -> hold.decision().allowed() ? turn(hold)
					: Mono.error(() -> new RateLimitExceededException(hold.decision(), method.method())));
	}

	/** A call that has waited goes on where it holds up no others that wait. */
	private Mono<Optional<Hold>> turn(Hold hold) {
		return (hold.decision().waitMicros() == 0) ? Mono.just(Optional.of(hold))
				: Mono.just(hold)
					.publishOn(Schedulers.parallel())
					.doOnDiscard(Hold.class, this.refunds::all)
					.map(Optional::of);
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

package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.Admission;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.ReactiveGate;
import io.github.ratelimit.spring.charge.RequestCharges;
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
 * The limiter of methods that return a {@code Mono}, a {@code Flux} or another reactive
 * type that Spring can adapt, and of Kotlin's suspend functions. It decides at every
 * subscription and calls the method afterwards. If a subscriber cancels before the call,
 * its charges are refunded.
 */
public final class ReactiveCalls {

	private final ReactiveAdapterRegistry adapters = ReactiveAdapterRegistry.getSharedInstance();

	private final ReactiveGate gate;

	private final @Nullable ReactiveCallerSource callers;

	private final Function<ContextView, RequestCharges> requests;

	/**
	 * Creates a limiter of reactive calls.
	 * @param limiter decides
	 * @param callers the callers of the requests that subscribers serve; {@code null} if
	 * there are no reactive requests
	 * @param requests the charges of the request that a subscriber serves
	 */
	public ReactiveCalls(RateLimiter limiter, @Nullable ReactiveCallerSource callers,
			Function<ContextView, RequestCharges> requests) {
		this.gate = new ReactiveGate(new Gate(limiter), (task) -> Schedulers.parallel().schedule(task));
		this.callers = callers;
		this.requests = requests;
	}

	boolean isInNonBlockingThread() {
		return Schedulers.isInNonBlockingThread();
	}

	/**
	 * Returns the method's result, which decides at each subscription.
	 * @param thread the caller of the calling thread, for subscribers outside a reactive
	 * request
	 * @param threadRequest the charges of the request that the calling thread serves, for
	 * the same subscribers
	 */
	Object limit(MethodInvocation invocation, RateLimitedMethod method, Caller thread, RequestCharges threadRequest) {
		ReactiveAdapter adapter = adapter(invocation.getMethod(), method.returnKind());
		Flux<Object> result = Flux.deferContextual((context) -> {
			RequestCharges request = request(context, threadRequest);
			Call call = () -> proceed(invocation, method, request);
			return request
				.tryConsumeAdmission(method.method())
						? publisher(call, adapter)
						: caller(thread)
							.<CallCharges>handle((caller,
									sink) -> sink.next(request.withDeferred(
											() -> method.charges(caller, invocation.getArguments(), request))))
							.flatMapMany((charges) -> this.gate.pass(charges, request, method.name(),
									() -> publisher(call, adapter),
									(denial) -> denied(denial, method, invocation, adapter)));
		});
		return adapter.fromPublisher(adapter.isMultiValue() ? result : result.singleOrEmpty());
	}

	private static Publisher<Object> denied(RateLimitExceededException denial, RateLimitedMethod method,
			MethodInvocation invocation, ReactiveAdapter adapter) {
		DenialFallback fallback = method.fallback();
		return (fallback == null) ? Mono.error(denial) : publisher(() -> fallback.call(invocation, denial), adapter);
	}

	/** Returns the result of a call, which ends it. */
	@Nullable Object ended(@Nullable Object result, Admission admission) {
		ReactiveAdapter adapter = this.adapters.getAdapter(null, result);
		if (result == null || adapter == null) {
			admission.callEnded(result, null);
			return result;
		}
		Flux<?> ended = ReactiveGate.ended(Flux.from(adapter.toPublisher(result)), admission);
		return adapter.fromPublisher(adapter.isMultiValue() ? ended : ended.singleOrEmpty());
	}

	/** Makes a call that ends with its stage, on a thread that must not block. */
	<T> CompletableFuture<T> stage(CallCharges charges, RequestCharges request, String name,
			Function<Supplier<Admission>, CompletionStage<T>> call) {
		return this.gate.stage(charges, request, name, call);
	}

	private ReactiveAdapter adapter(Method method, ReturnKind returnKind) {
		return Objects.requireNonNull(this.adapters.getAdapter(switch (returnKind) {
			case SUSPENDED -> Mono.class;
			case SUSPENDED_FLOW -> Flux.class;
			default -> method.getReturnType();
		}));
	}

	private RequestCharges request(ContextView context, RequestCharges thread) {
		RequestCharges request = this.requests.apply(context);
		return request.exists() ? request : thread;
	}

	private Mono<Caller> caller(Caller thread) {
		return (this.callers != null) ? this.callers.current().defaultIfEmpty(thread) : Mono.just(thread);
	}

	/**
	 * Calls the method on a clone of the invocation, which can proceed only once while
	 * subscribers may subscribe again.
	 */
	private static @Nullable Object proceed(MethodInvocation invocation, RateLimitedMethod method,
			RequestCharges request) throws Throwable {
		MethodInvocation call = ((ProxyMethodInvocation) invocation).invocableClone();
		method.bindDecision(call.getArguments(), request);
		return call.proceed();
	}

	private static Publisher<Object> publisher(Call call, ReactiveAdapter adapter) {
		try {
			return adapter.toPublisher(call.proceed());
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

}

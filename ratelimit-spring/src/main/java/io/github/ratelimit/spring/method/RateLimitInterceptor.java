package io.github.ratelimit.spring.method;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.Admission;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Gate;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.charge.RequestSource;
import io.github.ratelimit.spring.key.CallerSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;

/**
 * The interceptor of limited methods, which decides before a method is called. It decides
 * on the calling thread, without blocking if that thread must not block and the return
 * type permits it. Methods with a reactive return type are decided at subscription. A
 * call that was admitted in advance, as part of its request, is not decided again.
 */
public final class RateLimitInterceptor implements MethodInterceptor {

	private final RateLimitedMethods methods;

	private final Gate gate;

	private final CallerSource callers;

	private final RequestSource requests;

	private final @Nullable ReactiveCalls reactiveCalls;

	/**
	 * Creates an interceptor.
	 * @param methods the limits of methods
	 * @param limiter decides
	 * @param callers the callers of the requests that threads serve
	 * @param requests the requests that threads serve
	 * @param reactiveCalls limits methods that return reactive types; {@code null} if
	 * Reactor is absent
	 */
	public RateLimitInterceptor(RateLimitedMethods methods, RateLimiter limiter, CallerSource callers,
			RequestSource requests, @Nullable ReactiveCalls reactiveCalls) {
		this(methods, new Gate(limiter), callers, requests, reactiveCalls);
	}

	private RateLimitInterceptor(RateLimitedMethods methods, Gate gate, CallerSource callers, RequestSource requests,
			@Nullable ReactiveCalls reactiveCalls) {
		this.methods = methods;
		this.gate = gate;
		this.callers = callers;
		this.requests = requests;
		this.reactiveCalls = reactiveCalls;
	}

	/** Returns an interceptor of the calls of one request. */
	RateLimitInterceptor serving(Caller caller, RequestCharges request) {
		return new RateLimitInterceptor(this.methods, this.gate, () -> caller, () -> request, this.reactiveCalls);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		RateLimitedMethod method = this.methods.find(invocation.getMethod(), targetClass(invocation));
		if (method == null) {
			return invocation.proceed();
		}
		RequestCharges request = this.requests.current();
		if (this.reactiveCalls != null && method.returnKind().isReactive()) {
			return this.reactiveCalls.limit(invocation, method, this.callers.current(), request);
		}
		if (request.tryConsumeAdmission(method.method())) {
			return invocation.proceed();
		}
		Caller caller = this.callers.current();
		return (method.returnKind() == ReturnKind.STAGE) ? stage(method, caller, invocation, request)
				: blocking(method, caller, invocation, request);
	}

	private @Nullable Object blocking(RateLimitedMethod method, Caller caller, MethodInvocation invocation,
			RequestCharges request) throws Throwable {
		CallCharges charges = request.withDeferred(() -> method.charges(caller, invocation.getArguments(), request));
		Admission admission;
		try {
			admission = mustNotBlock() ? this.gate.enterAtOnce(charges, request, method.name())
					: this.gate.enter(charges, request, method.name());
		}
		catch (RateLimitExceededException denial) {
			return denied(denial, method, invocation);
		}
		method.bindDecision(invocation.getArguments(), request);
		return proceed(invocation, admission);
	}

	private @Nullable Object proceed(MethodInvocation invocation, Admission admission) throws Throwable {
		if (admission.isEmpty()) {
			return invocation.proceed();
		}
		Object result;
		try {
			result = invocation.proceed();
		}
		catch (Throwable ex) {
			admission.callEnded(null, ex);
			throw ex;
		}
		if (result instanceof CompletionStage<?> stage) {
			CompletionStage<?> unused = ended(stage, admission);
			return result;
		}
		return (this.reactiveCalls != null) ? this.reactiveCalls.ended(result, admission) : ended(result, admission);
	}

	private static @Nullable Object denied(RateLimitExceededException denial, RateLimitedMethod method,
			MethodInvocation invocation) throws Throwable {
		DenialFallback fallback = method.fallback();
		if (fallback == null) {
			throw denial;
		}
		return fallback.call(invocation, denial);
	}

	private CompletionStage<?> stage(RateLimitedMethod method, Caller caller, MethodInvocation invocation,
			RequestCharges request) {
		try {
			CallCharges charges = request
				.withDeferred(() -> method.charges(caller, invocation.getArguments(), request));
			Function<Supplier<Admission>, CompletionStage<Object>> call = (admission) -> stage(method, invocation,
					request, admission);
			return (this.reactiveCalls != null && mustNotBlock() && !charges.isEmpty())
					? this.reactiveCalls.stage(charges, request, method.name(), call)
					: call.apply(() -> this.gate.enter(charges, request, method.name()));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static CompletionStage<Object> stage(RateLimitedMethod method, MethodInvocation invocation,
			RequestCharges request, Supplier<Admission> admission) {
		Admission admitted;
		try {
			admitted = admission.get();
		}
		catch (RateLimitExceededException denial) {
			return stageOf(() -> denied(denial, method, invocation));
		}
		method.bindDecision(invocation.getArguments(), request);
		return ended(stageOf(invocation::proceed), admitted);
	}

	/**
	 * Returns the result of a call, which ends it. The caller gets a copy, as a stage
	 * that was cancelled no longer runs its action.
	 */
	private static <T> CompletionStage<T> ended(CompletionStage<T> result, Admission admission) {
		return admission.isEmpty() ? result
				: result.whenComplete((value, failure) -> admission.callEnded(value, cause(failure)))
					.thenApply(Function.identity());
	}

	private static @Nullable Object ended(@Nullable Object result, Admission admission) {
		admission.callEnded(result, null);
		return result;
	}

	private static @Nullable Throwable cause(@Nullable Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/** Returns the stage that a call returns, or one that has failed as the call did. */
	static CompletionStage<Object> stageOf(Call call) {
		try {
			@SuppressWarnings("unchecked")
			CompletionStage<Object> result = (CompletionStage<Object>) call.proceed();
			return (result != null) ? result : CompletableFuture.completedFuture(null);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private boolean mustNotBlock() {
		return this.reactiveCalls != null && this.reactiveCalls.isInNonBlockingThread();
	}

	/**
	 * Returns the class of the target, behind any proxy. Only proxies take the slower
	 * lookup.
	 */
	private static Class<?> targetClass(MethodInvocation invocation) {
		Object target = invocation.getThis();
		if (target == null) {
			return invocation.getMethod().getDeclaringClass();
		}
		return (target instanceof SpringProxy) ? AopUtils.getTargetClass(target) : target.getClass();
	}

}

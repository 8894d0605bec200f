package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Hold;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RequestCharges;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.CallerSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;

/**
 * Decides before a limited method is called: on the caller's thread, or, where that
 * thread must not block, without blocking it if the method's return type allows. Methods
 * that return a reactive type are decided on when what they return is subscribed to. What
 * was decided before the call, as part of the request that it serves, is not again.
 */
public final class RateLimitInterceptor implements MethodInterceptor {

	private final RateLimitedMethods methods;

	private final RateLimiter limiter;

	private final CallerSource callers;

	private final RequestSource requests;

	private final @Nullable ReactiveCalls reactiveCalls;

	private final Refunds refunds;

	/**
	 * An interceptor.
	 * @param methods what limits each method
	 * @param limiter decides
	 * @param callers knows whose request a thread serves
	 * @param requests knows what that request has been charged
	 * @param reactiveCalls limits methods that return reactive types; {@code null} where
	 * Reactor is absent
	 */
	public RateLimitInterceptor(RateLimitedMethods methods, RateLimiter limiter, CallerSource callers,
			RequestSource requests, @Nullable ReactiveCalls reactiveCalls) {
		this.methods = methods;
		this.limiter = limiter;
		this.callers = callers;
		this.requests = requests;
		this.reactiveCalls = reactiveCalls;
		this.refunds = new Refunds(limiter);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		RateLimitedMethod method = this.methods.get(invocation.getMethod(), targetClass(invocation));
		if (method.operations().isEmpty()) {
			return invocation.proceed();
		}
		Caller caller = this.callers.current();
		RequestCharges request = this.requests.current();
		if (this.reactiveCalls != null && method.answers().isReactive()) {
			return this.reactiveCalls.limit(invocation, method, caller, request);
		}
		if (request.take(method.method())) {
			return invocation.proceed();
		}
		return (method.answers() == AnswerKind.STAGE) ? stage(method, caller, invocation, request)
				: blocking(method, caller, invocation, request);
	}

	private @Nullable Object blocking(RateLimitedMethod method, Caller caller, MethodInvocation invocation,
			RequestCharges request) throws Throwable {
		List<Charge> charges = request.deferredAnd(method.charges(caller, invocation.getArguments()));
		if (charges.isEmpty()) {
			return invocation.proceed();
		}
		Hold hold = mustNotBlock() ? holdAtHand(charges, invocation) : this.limiter.hold(charges);
		request.decided(hold.decision());
		if (!hold.decision().allowed()) {
			throw new RateLimitExceededException(hold.decision(), method.method());
		}
		try {
			return invocation.proceed();
		}
		catch (Throwable ex) {
			this.refunds.after(ex, hold, method);
			throw ex;
		}
	}

	private Hold holdAtHand(List<Charge> charges, MethodInvocation invocation) {
		CompletableFuture<Hold> hold = this.limiter.holdAsync(charges).toCompletableFuture();
		if (!hold.isDone()) {
			hold.cancel(true);
			throw new IllegalStateException("@RateLimited on " + invocation.getMethod()
					+ " would block an event loop: return a Mono, a Flux or a CompletableFuture, or call it elsewhere");
		}
		return hold.join();
	}

	private CompletionStage<?> stage(RateLimitedMethod method, Caller caller, MethodInvocation invocation,
			RequestCharges request) {
		CompletableFuture<Hold> hold;
		try {
			List<Charge> charges = request.deferredAnd(method.charges(caller, invocation.getArguments()));
			if (charges.isEmpty()) {
				return proceed(invocation);
			}
			hold = mustNotBlock() ? this.limiter.holdAsync(charges).toCompletableFuture()
					: CompletableFuture.completedFuture(this.limiter.hold(charges));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return cancelling(hold, hold.thenCompose((held) -> {
			request.decided(held.decision());
			return held.decision().allowed() ? this.refunds.where(proceed(invocation), held, method)
					: CompletableFuture.failedFuture(new RateLimitExceededException(held.decision(), method.method()));
		}));
	}

	/** The answer, which if it is cancelled first cancels the decision on the call. */
	private static <T> CompletableFuture<T> cancelling(CompletableFuture<Hold> hold, CompletableFuture<T> answer) {
		if (!hold.isDone()) {
			CompletableFuture<?> unused = answer.whenComplete((value, failure) -> hold.cancel(true));
		}
		return answer;
	}

	private static CompletionStage<Object> proceed(MethodInvocation invocation) {
		try {
			@SuppressWarnings("unchecked")
			CompletionStage<Object> answer = (CompletionStage<Object>) invocation.proceed();
			return (answer != null) ? answer : CompletableFuture.completedFuture(null);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private boolean mustNotBlock() {
		return this.reactiveCalls != null && this.reactiveCalls.isInNonBlockingThread();
	}

	/**
	 * Of a proxy, the class behind it; the question is asked of proxies alone, as it
	 * takes time.
	 */
	private static Class<?> targetClass(MethodInvocation invocation) {
		Object target = invocation.getThis();
		if (target == null) {
			return invocation.getMethod().getDeclaringClass();
		}
		return (target instanceof SpringProxy) ? AopUtils.getTargetClass(target) : target.getClass();
	}

}

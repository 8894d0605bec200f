package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.OpenReservation;
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

	private final RateLimiter limiter;

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
		this.methods = methods;
		this.limiter = limiter;
		this.callers = callers;
		this.requests = requests;
		this.reactiveCalls = reactiveCalls;
	}

	/** Returns an interceptor of the calls of one request. */
	RateLimitInterceptor serving(Caller caller, RequestCharges request) {
		return new RateLimitInterceptor(this.methods, this.limiter, () -> caller, () -> request, this.reactiveCalls);
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
		if (request != null && request.tryConsumeAdmission(method.method())) {
			return invocation.proceed();
		}
		Caller caller = this.callers.current();
		return (method.returnKind() == ReturnKind.STAGE) ? stage(method, caller, invocation, request)
				: blocking(method, caller, invocation, request);
	}

	private @Nullable Object blocking(RateLimitedMethod method, Caller caller, MethodInvocation invocation,
			@Nullable RequestCharges request) throws Throwable {
		CallCharges charges = withDeferred(request, () -> method.charges(caller, invocation.getArguments(), request));
		if (charges.isEmpty()) {
			return invocation.proceed();
		}
		Reservation reservation = mustNotBlock() ? reserveWithoutBlocking(charges.charges(), invocation)
				: this.limiter.reserve(charges.charges());
		addDecision(request, reservation);
		if (!reservation.decision().allowed()) {
			return denied(new RateLimitExceededException(reservation.decision(), method.name()), method, invocation);
		}
		method.bindDecision(invocation.getArguments(), request);
		return proceed(invocation, method.open(reservation, charges, request, this.limiter));
	}

	private static @Nullable Object proceed(MethodInvocation invocation, OpenReservation reservation) throws Throwable {
		if (reservation.isEmpty()) {
			return invocation.proceed();
		}
		Object result;
		try {
			result = invocation.proceed();
		}
		catch (Throwable ex) {
			reservation.callEnded(null, ex);
			throw ex;
		}
		if (result instanceof CompletionStage<?> stage) {
			CompletionStage<?> unused = ended(stage, reservation);
		}
		else {
			reservation.callEnded(result, null);
		}
		return result;
	}

	private static @Nullable Object denied(RateLimitExceededException denial, RateLimitedMethod method,
			MethodInvocation invocation) throws Throwable {
		DenialFallback fallback = method.fallback();
		if (fallback == null) {
			throw denial;
		}
		return fallback.call(invocation, denial);
	}

	private Reservation reserveWithoutBlocking(List<Charge> charges, MethodInvocation invocation) {
		CompletableFuture<Reservation> reservation = this.limiter.reserveAsync(charges).toCompletableFuture();
		if (!reservation.isDone()) {
			reservation.cancel(true);
			throw new IllegalStateException("@RateLimited on " + invocation.getMethod()
					+ " would block an event loop: return a Mono, a Flux or a CompletableFuture, or call it elsewhere");
		}
		return reservation.join();
	}

	private CompletionStage<?> stage(RateLimitedMethod method, Caller caller, MethodInvocation invocation,
			@Nullable RequestCharges request) {
		CallCharges charges;
		CompletableFuture<Reservation> reservation;
		try {
			charges = withDeferred(request, () -> method.charges(caller, invocation.getArguments(), request));
			if (charges.isEmpty()) {
				return stageOf(invocation::proceed);
			}
			reservation = reservation(charges.charges());
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return cancelling(reservation, reservation.thenCompose((reserved) -> {
			addDecision(request, reserved);
			method.bindDecision(invocation.getArguments(), request);
			return reserved.decision().allowed()
					? ended(stageOf(invocation::proceed), method.open(reserved, charges, request, this.limiter))
					: stageOf(() -> denied(new RateLimitExceededException(reserved.decision(), method.name()), method,
							invocation));
		}));
	}

	private CompletableFuture<Reservation> reservation(List<Charge> charges) {
		return (this.reactiveCalls != null && mustNotBlock()) ? this.reactiveCalls.reserve(charges)
				: CompletableFuture.completedFuture(this.limiter.reserve(charges));
	}

	private static <T> CompletionStage<T> ended(CompletionStage<T> result, OpenReservation reservation) {
		return reservation.isEmpty() ? result
				: result.whenComplete((value, failure) -> reservation.callEnded(value, cause(failure)));
	}

	private static @Nullable Throwable cause(@Nullable Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	private static CallCharges withDeferred(@Nullable RequestCharges request, Supplier<CallCharges> charges) {
		return (request != null) ? request.withDeferred(charges) : charges.get();
	}

	private static void addDecision(@Nullable RequestCharges request, Reservation reservation) {
		if (request != null) {
			request.addDecision(reservation.decision());
		}
	}

	/** Returns the result, whose cancellation cancels a pending reservation too. */
	private static <T> CompletableFuture<T> cancelling(CompletableFuture<Reservation> reservation,
			CompletableFuture<T> result) {
		if (!reservation.isDone()) {
			CompletableFuture<?> unused = result.whenComplete((value, failure) -> reservation.cancel(true));
		}
		return result;
	}

	private static CompletionStage<Object> stageOf(Call call) {
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

package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.Handover;
import io.github.ratelimit.spring.charge.OpenReservation;
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

	private final RateLimiter limiter;

	private final @Nullable ReactiveCallerSource callers;

	private final Function<ContextView, @Nullable RequestCharges> requests;

	/**
	 * Creates a limiter of reactive calls.
	 * @param limiter decides
	 * @param callers the callers of the requests that subscribers serve; {@code null} if
	 * there are no reactive requests
	 * @param requests the charges of the request that a subscriber serves, {@code null}
	 * outside a request
	 */
	public ReactiveCalls(RateLimiter limiter, @Nullable ReactiveCallerSource callers,
			Function<ContextView, @Nullable RequestCharges> requests) {
		this.limiter = limiter;
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
	Object limit(MethodInvocation invocation, RateLimitedMethod method, Caller thread,
			@Nullable RequestCharges threadRequest) {
		ReactiveAdapter adapter = adapter(invocation.getMethod(), method.returnKind());
		Mono<Publisher<?>> call = Mono.deferContextual((context) -> {
			RequestCharges request = request(context, threadRequest);
			Mono<OpenReservation> admission = (request != null && request.tryConsumeAdmission(method.method()))
					? Mono.just(OpenReservation.NONE)
					: caller(thread)
						.<CallCharges>handle((caller,
								sink) -> sink.next(withDeferred(request,
										() -> method.charges(caller, invocation.getArguments(), request))))
						.flatMap((charges) -> admit(charges, request, method));
			return admission.map((open) -> ended(publisher(() -> proceed(invocation, method, request), adapter), open,
					adapter.isMultiValue()));
		});
		call = withFallback(call, method, invocation, adapter);
		return adapter.fromPublisher(adapter.isMultiValue() ? call.flatMapMany(Flux::from) : call.flatMap(Mono::from));
	}

	private static Mono<Publisher<?>> withFallback(Mono<Publisher<?>> call, RateLimitedMethod method,
			MethodInvocation invocation, ReactiveAdapter adapter) {
		DenialFallback fallback = method.fallback();
		return (fallback == null) ? call : call.onErrorResume(RateLimitExceededException.class,
				(denial) -> Mono.just(publisher(() -> fallback.call(invocation, denial), adapter)));
	}

	/** Returns the result, which ends its reservation. */
	private static Publisher<?> ended(Publisher<?> result, OpenReservation reservation, boolean hasManyValues) {
		if (reservation.isEmpty()) {
			return result;
		}
		AtomicReference<@Nullable Object> last = new AtomicReference<>();
		Flux<?> watched = Flux.from(result)
			.doOnNext(last::set)
			.doOnError((failure) -> reservation.callEnded(last.get(), failure))
			.doOnComplete(() -> reservation.callEnded(last.get(), null))
			.doOnCancel(() -> reservation.callCancelled(last.get()));
		return hasManyValues ? watched : watched.singleOrEmpty();
	}

	private ReactiveAdapter adapter(Method method, ReturnKind returnKind) {
		return Objects.requireNonNull(this.adapters.getAdapter(switch (returnKind) {
			case SUSPENDED -> Mono.class;
			case SUSPENDED_FLOW -> Flux.class;
			default -> method.getReturnType();
		}));
	}

	/**
	 * Emits the open reservation, or fails with the denial. If the subscriber cancels
	 * before, its charges are refunded. The handlers find the thread-locals of the
	 * subscriber, such as its current observation.
	 */
	private Mono<OpenReservation> admit(CallCharges charges, @Nullable RequestCharges request,
			RateLimitedMethod method) {
		if (charges.isEmpty()) {
			return Mono.just(OpenReservation.NONE);
		}
		return reservation(charges.charges()).doOnNext((reservation) -> addDecision(request, reservation))
			.flatMap((reservation) -> reservation.decision().allowed() ? Mono.just(reservation)
					: Mono.error(() -> new RateLimitExceededException(reservation.decision(), method.name())))
			.map((reservation) -> method.open(reservation, charges, request, this.limiter));
	}

	/**
	 * Reserves without blocking.
	 * @param charges the charges of a call
	 * @return the reservation; cancelling it before refunds the charges
	 */
	@SuppressWarnings("NullAway") // it is never empty
	CompletableFuture<Reservation> reserve(List<Charge> charges) {
		return reservation(charges).toFuture();
	}

	/**
	 * Emits the reservation, away from the threads of the store and of waits: methods
	 * that follow may be slow, or decide themselves.
	 */
	private Mono<Reservation> reservation(List<Charge> charges) {
		return Mono.just(charges)
			.<CompletableFuture<Reservation>>handle(
					(charged, sink) -> sink.next(this.limiter.reserveAsync(charged).toCompletableFuture()))
			.flatMap((pending) -> Handover.whenDecided(pending, () -> Schedulers.parallel()::schedule, this::refund));
	}

	private void refund(Reservation reservation) {
		OpenReservation.refund(reservation, this.limiter);
	}

	private static CallCharges withDeferred(@Nullable RequestCharges request, Supplier<CallCharges> charges) {
		return (request != null) ? request.withDeferred(charges) : charges.get();
	}

	private static void addDecision(@Nullable RequestCharges request, Reservation reservation) {
		if (request != null) {
			request.addDecision(reservation.decision());
		}
	}

	private @Nullable RequestCharges request(ContextView context, @Nullable RequestCharges thread) {
		RequestCharges request = this.requests.apply(context);
		return (request != null) ? request : thread;
	}

	private Mono<Caller> caller(Caller thread) {
		return (this.callers != null) ? this.callers.current().defaultIfEmpty(thread) : Mono.just(thread);
	}

	/**
	 * Calls the method on a clone of the invocation, which can proceed only once while
	 * subscribers may subscribe again.
	 */
	private static @Nullable Object proceed(MethodInvocation invocation, RateLimitedMethod method,
			@Nullable RequestCharges request) throws Throwable {
		MethodInvocation call = ((ProxyMethodInvocation) invocation).invocableClone();
		method.bindDecision(call.getArguments(), request);
		return call.proceed();
	}

	private static Publisher<?> publisher(Call call, ReactiveAdapter adapter) {
		try {
			return adapter.toPublisher(call.proceed());
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

}

package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
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
 * The limiter of methods that return a {@code Mono}, a {@code Flux} or another reactive
 * type that Spring can adapt, and of Kotlin's suspend functions. It decides at every
 * subscription and calls the method afterwards. If a subscriber cancels before the call,
 * its charges are refunded.
 */
public final class ReactiveCalls {

	private final ReactiveAdapterRegistry adapters = ReactiveAdapterRegistry.getSharedInstance();

	private final RateLimiter limiter;

	private final Refunds refunds;

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
		this.refunds = new Refunds(limiter);
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
		Mono<Optional<Reservation>> admission = Mono.deferContextual((context) -> {
			RequestCharges request = request(context, threadRequest);
			return (request != null && request.tryConsumeAdmission(method.method())) ? Mono.just(Optional.empty())
					: caller(thread)
						.<List<Charge>>handle(
								(caller, sink) -> sink.next(method.charges(caller, invocation.getArguments())))
						.flatMap((charges) -> admit(charges, request, method));
		});
		Publisher<?> result = adapter.isMultiValue()
				? admission.flatMapMany(
						(admitted) -> Flux.from(proceed(invocation, adapter)).doOnError(refund(admitted, method)))
				: admission
					.flatMap((admitted) -> Mono.from(proceed(invocation, adapter)).doOnError(refund(admitted, method)));
		return adapter.fromPublisher(result);
	}

	private ReactiveAdapter adapter(Method method, ReturnKind returnKind) {
		return Objects.requireNonNull(this.adapters.getAdapter(switch (returnKind) {
			case SUSPENDED -> Mono.class;
			case SUSPENDED_FLOW -> Flux.class;
			default -> method.getReturnType();
		}));
	}

	/**
	 * Emits the reservation, empty if there is nothing to charge, or fails with the
	 * denial. If the subscriber cancels before, its charges are refunded. The handlers
	 * find the thread-locals of the subscriber, such as its current observation.
	 */
	private Mono<Optional<Reservation>> admit(List<Charge> own, @Nullable RequestCharges request,
			RateLimitedMethod method) {
		List<Charge> charges = (request != null) ? request.withDeferred(own) : own;
		if (charges.isEmpty()) {
			return Mono.just(Optional.empty());
		}
		return Mono.just(charges)
			.<CompletableFuture<Reservation>>handle(
					(charged, sink) -> sink.next(this.limiter.reserveAsync(charged).toCompletableFuture()))
			.flatMap(Mono::fromFuture)
			.doOnDiscard(Reservation.class, this.refunds::all)
			.doOnNext((reservation) -> addDecision(request, reservation))
			.flatMap((reservation) -> reservation.decision().allowed() ? turn(reservation)
					: Mono.error(() -> new RateLimitExceededException(reservation.decision(), method.name())));
	}

	private static void addDecision(@Nullable RequestCharges request, Reservation reservation) {
		if (request != null) {
			request.addDecision(reservation.decision());
		}
	}

	/**
	 * Moves a call that has waited to another thread, so that it delays no other wait.
	 */
	private Mono<Optional<Reservation>> turn(Reservation reservation) {
		return (reservation.decision().waitMicros() == 0) ? Mono.just(Optional.of(reservation))
				: Mono.just(reservation)
					.publishOn(Schedulers.parallel())
					.doOnDiscard(Reservation.class, this.refunds::all)
					.map(Optional::of);
	}

	private Consumer<Throwable> refund(Optional<Reservation> reservation, RateLimitedMethod method) {
		return (failure) -> reservation.ifPresent((reserved) -> this.refunds.after(failure, reserved, method));
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

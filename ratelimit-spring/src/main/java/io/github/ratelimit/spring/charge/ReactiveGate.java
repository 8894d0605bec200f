package io.github.ratelimit.spring.charge;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.spring.charge.Gate.Entry;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The gate of calls that must not block. A call goes on away from the threads of the
 * store, which must not serve it. If a subscriber cancels before its call starts, the
 * call is refunded. Thread-safe.
 */
public final class ReactiveGate {

	/** The result of {@link #enter} for calls that are admitted at once. */
	public static final Mono<Boolean> ADMITTED = Mono.just(true);

	private final Gate gate;

	private final Executor thread;

	private final boolean blocks;

	/**
	 * Creates a gate.
	 * @param gate the gate of calls that may block
	 * @param thread executes calls that were not decided at once
	 */
	public ReactiveGate(Gate gate, Executor thread) {
		this(gate, thread, false);
	}

	private ReactiveGate(Gate gate, Executor thread, boolean blocks) {
		this.gate = gate;
		this.thread = thread;
		this.blocks = blocks;
	}

	/**
	 * Returns this gate for calls that may depend on the thread of their subscriber: it
	 * blocks threads that may block.
	 * @return the gate
	 */
	public ReactiveGate blockingWherePossible() {
		return new ReactiveGate(this.gate, this.thread, true);
	}

	/**
	 * Returns whether a call has entered already.
	 * @param entered what {@link #enter} has returned
	 * @return whether it is {@link #ADMITTED}
	 */
	@SuppressWarnings("ReferenceEquality") // as it only spares operators
	public static boolean isAdmitted(Mono<Boolean> entered) {
		return entered == ADMITTED;
	}

	/**
	 * Lets a call that ends with its request enter.
	 * @param charges the charges of the call, none for a call without limits
	 * @param request the request, which ends the admission
	 * @param name the name of the call for messages, or {@code null}
	 * @param thread supplies the executor on which the request goes on
	 * @return emits {@code true}, or fails with the denial
	 */
	public Mono<Boolean> enter(CallCharges charges, RequestCharges request, @Nullable String name,
			Supplier<Executor> thread) {
		if (charges.isEmpty()) {
			return ADMITTED;
		}
		Entry entry = this.gate.begin(charges.untilRequestEnds(), request, name);
		if (entry.isDecided()) {
			entry.start();
			return ADMITTED;
		}
		return decided(entry, thread).<Boolean>handle((decided, sink) -> {
			if (decided.tryStart() != null) {
				sink.next(true);
			}
		}).doOnCancel(entry::abandon);
	}

	/**
	 * Charges a call that was made without a decision, even if it is denied.
	 * @param charges the charges of the call
	 * @param request the request that the call is part of
	 * @return completes after the charge, or fails if it cannot be made
	 */
	public Mono<Void> charge(CallCharges charges, RequestCharges request) {
		return charges.isEmpty() ? Mono.empty()
				: entry(charges, request, null)
					.flatMap((entry) -> decided(entry, () -> this.thread).doOnNext(Entry::startAnyway))
					.then();
	}

	/**
	 * Makes a call that ends with its result, if it is admitted.
	 * @param <T> the type of the result
	 * @param charges the charges of the call, none for a call without limits
	 * @param request the request that the call is part of, or {@link RequestCharges#NONE}
	 * @param name the name of the call for messages, or {@code null}
	 * @param call makes the call
	 * @return the result for one subscriber, or the denial
	 */
	public <T> Flux<T> pass(CallCharges charges, RequestCharges request, @Nullable String name,
			Supplier<? extends Publisher<? extends T>> call) {
		return pass(charges, request, name, call, (denial) -> Mono.error(denial));
	}

	/**
	 * Makes a call that ends with its result, if it is admitted.
	 * @param <T> the type of the result
	 * @param charges the charges of the call, none for a call without limits
	 * @param request the request that the call is part of, or {@link RequestCharges#NONE}
	 * @param name the name of the call for messages, or {@code null}
	 * @param call makes the call
	 * @param denied returns the result of a denied call
	 * @return the result for one subscriber
	 */
	public <T> Flux<T> pass(CallCharges charges, RequestCharges request, @Nullable String name,
			Supplier<? extends Publisher<? extends T>> call,
			Function<RateLimitExceededException, ? extends Publisher<? extends T>> denied) {
		return charges.isEmpty() ? result(call)
				: entry(charges, request, name).flatMapMany((entry) -> decided(entry, () -> this.thread)
					.<T>flatMapMany((decided) -> started(decided, call, denied))
					.doOnCancel(entry::abandon));
	}

	/**
	 * Makes a call that ends with its stage, if it is admitted. Cancelling the result
	 * refunds a call that has not started.
	 * @param <T> the type of the result
	 * @param charges the charges of the call, at least one
	 * @param request the request that the call is part of, or {@link RequestCharges#NONE}
	 * @param name the name of the call for messages, or {@code null}
	 * @param call makes an admitted call, and reports its end
	 * @return the result, or the denial
	 */
	public <T> CompletableFuture<T> stage(CallCharges charges, RequestCharges request, @Nullable String name,
			Function<Supplier<Admission>, CompletionStage<T>> call) {
		Entry entry = this.gate.begin(charges, request, name);
		CompletableFuture<T> result = decided(entry, () -> this.thread).toFuture()
			.thenCompose((decided) -> call.apply(entry::start));
		CompletableFuture<?> unused = result.whenComplete((value, failure) -> entry.abandon());
		return result;
	}

	/**
	 * Decides as a handler of a signal, for which the store finds the thread-locals of
	 * the subscriber, such as its current observation.
	 */
	private Mono<Entry> entry(CallCharges charges, RequestCharges request, @Nullable String name) {
		boolean mayBlock = this.blocks && !Schedulers.isInNonBlockingThread();
		return Mono.just(charges)
			.handle((all, sink) -> sink
				.next(mayBlock ? this.gate.decide(all, request, name) : this.gate.begin(all, request, name)));
	}

	/** Emits an entry that is decided, on the thread of the call. */
	private static Mono<Entry> decided(Entry entry, Supplier<Executor> thread) {
		return entry.isDecided() ? Mono.just(entry) : Mono.create((sink) -> {
			Executor executor = thread.get();
			entry.whenDecided(() -> execute(executor, () -> sink.success(entry)));
		});
	}

	/** Executes a task on this thread if the other has ended. */
	private static void execute(Executor thread, Runnable task) {
		try {
			thread.execute(task);
		}
		catch (RejectedExecutionException ex) {
			task.run();
		}
	}

	private static <T> Flux<T> started(Entry entry, Supplier<? extends Publisher<? extends T>> call,
			Function<RateLimitExceededException, ? extends Publisher<? extends T>> denied) {
		try {
			Admission admission = entry.tryStart();
			return (admission != null) ? ended(result(call), admission) : Flux.empty();
		}
		catch (RateLimitExceededException denial) {
			return Flux.from(denied.apply(denial));
		}
	}

	private static <T> Flux<T> result(Supplier<? extends Publisher<? extends T>> call) {
		return Flux.defer(() -> Flux.from(call.get()));
	}

	/**
	 * Returns a result whose end ends the call.
	 * @param <T> the type of the result
	 * @param result the result of an admitted call, for one subscriber
	 * @param admission the admission of the call
	 * @return the result
	 */
	public static <T> Flux<T> ended(Flux<T> result, Admission admission) {
		if (admission.isEmpty()) {
			return result;
		}
		AtomicReference<@Nullable Object> last = new AtomicReference<>();
		Consumer<Throwable> failed = (failure) -> admission.callEnded(last.get(), failure);
		return Flux.from(new ThrownErrors<>(result.doOnNext(last::set)
			.doOnError(failed)
			.doOnComplete(() -> admission.callEnded(last.get(), null))
			.doOnCancel(() -> admission.callCancelled(last.get())), failed));
	}

}

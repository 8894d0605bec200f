package io.github.ratelimit.spring.charge;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.ratelimit.Reservation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A handover of a reservation to another thread. If the subscriber cancels on the way,
 * the reservation would be lost and its permits stay charged or held, so it is refunded.
 */
public final class Handover {

	private Handover() {
	}

	/**
	 * Emits a reservation that may be pending. A pending one is emitted on another thread
	 * than that which decides it, and so is its failure.
	 * @param pending the reservation, cancelled if the subscriber cancels before the
	 * decision
	 * @param thread supplies the executor of the other thread
	 * @param refund refunds the reservation if the subscriber cancels before it arrives
	 * @return emits the reservation, unless it is refunded
	 */
	public static Mono<Reservation> whenDecided(CompletableFuture<Reservation> pending, Supplier<Executor> thread,
			Consumer<Reservation> refund) {
		return (pending.isDone() ? Mono.fromFuture(pending) : onThread(pending, thread)).doOnDiscard(Reservation.class,
				refund);
	}

	private static Mono<Reservation> onThread(CompletableFuture<Reservation> pending, Supplier<Executor> thread) {
		return Mono.create((sink) -> {
			Executor executor = thread.get();
			AtomicBoolean cancelled = new AtomicBoolean();
			sink.onCancel(() -> {
				cancelled.set(true);
				pending.cancel(true);
			});
			CompletableFuture<?> unused = pending.whenComplete((reservation, failure) -> {
				if (reservation != null || !cancelled.get()) {
					execute(executor, () -> emit(reservation, failure, sink));
				}
			});
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

	/** Emits a reservation, which the sink discards if it was cancelled, or a failure. */
	private static void emit(@Nullable Reservation reservation, @Nullable Throwable failure,
			MonoSink<Reservation> sink) {
		if (failure != null) {
			sink.error((failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
					: failure);
		}
		else {
			sink.success(reservation);
		}
	}

}

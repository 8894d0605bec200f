package io.github.ratelimit.spring.charge;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.ratelimit.Reservation;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A handover of a reservation to another thread. If the subscriber cancels on the way,
 * Reactor drops the reservation, and its permits would stay charged or held. It is
 * refunded instead.
 */
public final class Handover {

	private Handover() {
	}

	/**
	 * Emits a reservation that may be pending. A pending one is emitted on another thread
	 * than that which decides it.
	 * @param pending the reservation
	 * @param scheduler supplies the scheduler of the other thread
	 * @param refund refunds the reservation if the subscriber cancels before it arrives
	 * @return emits the reservation, unless it is refunded
	 */
	public static Mono<Reservation> whenDecided(CompletableFuture<Reservation> pending, Supplier<Scheduler> scheduler,
			Consumer<Reservation> refund) {
		return pending.isDone() ? Mono.fromFuture(pending)
				: Mono.fromFuture(pending).flatMap((reservation) -> to(scheduler.get(), reservation, refund));
	}

	/**
	 * Emits a reservation on another thread.
	 * @param scheduler the scheduler of the thread
	 * @param reservation the reservation
	 * @param refund refunds the reservation if the subscriber cancels before it arrives
	 * @return emits the reservation, unless it is refunded
	 */
	public static Mono<Reservation> to(Scheduler scheduler, Reservation reservation, Consumer<Reservation> refund) {
		AtomicBoolean ended = new AtomicBoolean();
		return Mono.just(reservation)
			.publishOn(scheduler)
			.filter((arrived) -> ended.compareAndSet(false, true))
			.doOnCancel(() -> {
				if (ended.compareAndSet(false, true)) {
					refund.accept(reservation);
				}
			});
	}

}

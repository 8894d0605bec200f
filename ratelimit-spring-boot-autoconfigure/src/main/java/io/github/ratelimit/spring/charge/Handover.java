package io.github.ratelimit.spring.charge;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.ratelimit.Reservation;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Hands a reservation over to another thread. Reactor's operators drop it silently if the
 * subscriber cancels on the way, so that nobody would refund it or release its permits.
 */
public final class Handover {

	private Handover() {
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

package io.github.ratelimit.detached;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;

import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.DetachedReservations;
import org.jspecify.annotations.Nullable;

/**
 * A timer that has a store refund the reservations of crashed holders, as long as there
 * are any. Each instance that has detached or settled such a reservation has one, so that
 * another takes over from an instance that died. Thread-safe.
 */
final class UnsettledRefunds {

	/** The longest time after which an instance notices what others have detached. */
	static final long FIRST_LOOK = TimeUnit.SECONDS.toMicros(10);

	/** The time after which a failed look is repeated. */
	private static final long AGAIN = TimeUnit.SECONDS.toMicros(10);

	private static final long SOONEST = TimeUnit.MILLISECONDS.toMicros(1);

	private final DetachedReservations reservations;

	private final LongFunction<CompletableFuture<Void>> delays;

	private final Consumer<DetachedCharge> refunded;

	private @Nullable CompletableFuture<Void> timer;

	/** The time at which the timer is due, by {@link System#nanoTime}. */
	private long dueNanos;

	private boolean closed;

	/**
	 * Creates a timer that is not running.
	 * @param delays returns a future that completes after some microseconds
	 * @param refunded receives each charge that was refunded
	 */
	UnsettledRefunds(DetachedReservations reservations, LongFunction<CompletableFuture<Void>> delays,
			Consumer<DetachedCharge> refunded) {
		this.reservations = reservations;
		this.delays = delays;
		this.refunded = refunded;
	}

	/** Looks for reservations to refund after some microseconds, or before. */
	synchronized void within(long micros) {
		long due = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
		CompletableFuture<Void> running = this.timer;
		if (this.closed || (running != null && !running.isDone() && this.dueNanos - due <= 0)) {
			return;
		}
		CompletableFuture<Void> next = this.delays.apply(micros);
		this.timer = next;
		this.dueNanos = due;
		if (running != null) {
			running.cancel(false);
		}
		CompletableFuture<?> unused = next.thenRun(this::look);
	}

	private void look() {
		CompletableFuture<?> unused = refundDue().whenComplete((next, failure) -> {
			if (failure != null) {
				within(AGAIN);
			}
			else if (next >= 0) {
				within(Math.max(next, SOONEST));
			}
		});
	}

	/** Refunds, and returns the time until the next is due, or -1 if there is none. */
	private CompletableFuture<Long> refundDue() {
		try {
			return this.reservations.refundDue(this.refunded)
				.thenApply((next) -> next.orElse(-1))
				.toCompletableFuture();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Stops the timer for good. */
	synchronized void close() {
		this.closed = true;
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}

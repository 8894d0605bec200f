package io.github.ratelimit.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Delays on a thread of this project, which ends after a second without delays. The JVM's
 * timer for futures never ends: if an application in a container is the first to use it,
 * that thread keeps the application's classes after it has stopped.
 */
public final class Delays {

	private static final ScheduledThreadPoolExecutor TIMER = timer();

	private Delays() {
	}

	/**
	 * Completes after a time.
	 * @param time the delay
	 * @param unit its unit
	 * @return completes on a thread that must not be blocked; cancelling it frees the
	 * timer
	 */
	public static CompletableFuture<Void> after(long time, TimeUnit unit) {
		CompletableFuture<Void> over = new CompletableFuture<>();
		complete(over, time, unit);
		return over;
	}

	/**
	 * Completes a future after a time. What depends on it already runs on a thread that
	 * must not be blocked, and never on the calling one. The timer is freed when the
	 * future completes before.
	 * @param future the future to complete
	 * @param time the delay
	 * @param unit its unit
	 */
	public static void complete(CompletableFuture<Void> future, long time, TimeUnit unit) {
		Future<?> delay = TIMER.schedule(() -> future.complete(null), time, unit);
		CompletableFuture<?> unused = future.whenComplete((nothing, failure) -> delay.cancel(false));
	}

	/**
	 * Fails a future with a {@link TimeoutException} unless it completes in time.
	 * @param <T> the type of its result
	 * @param future any future
	 * @param timeout the time limit
	 * @return the future itself
	 */
	public static <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, Duration timeout) {
		CompletableFuture<Void> over = after(timeout.toNanos(), TimeUnit.NANOSECONDS);
		CompletableFuture<?> unusedLate = over.thenRun(() -> future.completeExceptionally(new TimeoutException()));
		CompletableFuture<?> unusedInTime = future.whenComplete((result, failure) -> over.cancel(false));
		return future;
	}

	private static ScheduledThreadPoolExecutor timer() {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, (delays) -> {
			Thread thread = new Thread(delays, "ratelimit-delays");
			thread.setDaemon(true);
			return thread;
		});
		timer.setKeepAliveTime(1, TimeUnit.SECONDS);
		timer.allowCoreThreadTimeOut(true);
		timer.setRemoveOnCancelPolicy(true);
		return timer;
	}

}

package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A sleeper whose time passes only when a test advances it. Thread-safe.
 */
final class ManualTime implements QueuedTurns.Sleeper {

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

	private final List<Timer> timers = new ArrayList<>();

	private long micros;

	@Override
	public void sleep(long micros) throws InterruptedException {
		try {
			delay(micros).get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public synchronized void complete(CompletableFuture<Void> pause, long micros) {
		this.timers.add(new Timer(this.micros + micros, pause));
	}

	@Override
	public synchronized long nanoTime() {
		return TimeUnit.MICROSECONDS.toNanos(this.micros);
	}

	/** Lets time pass, timer by timer. */
	void advance(long micros) {
		long end = nanoTime() / 1000 + micros;
		for (Timer due = nextDue(end); due != null; due = nextDue(end)) {
			due.over.complete(null);
		}
		synchronized (this) {
			this.micros = end;
		}
	}

	/** Lets time pass until the next timer is due. */
	void advanceToNextTimer() {
		advance(untilNextTimer());
	}

	private synchronized long untilNextTimer() {
		return this.timers.stream()
			.filter((timer) -> !timer.over.isDone())
			.mapToLong((timer) -> timer.at - this.micros)
			.min()
			.orElseThrow();
	}

	private synchronized @Nullable Timer nextDue(long end) {
		Timer due = this.timers.stream()
			.filter((timer) -> timer.at <= end && !timer.over.isDone())
			.min(Comparator.comparingLong(Timer::at))
			.orElse(null);
		this.micros = (due != null) ? Math.max(this.micros, due.at) : this.micros;
		return due;
	}

	/** Returns the number of timers that are neither over nor cancelled. */
	synchronized int pending() {
		return (int) this.timers.stream().filter((timer) -> !timer.over.isDone()).count();
	}

	/** Waits until a number of timers are pending. */
	void awaitPending(int timers) {
		await(() -> pending() == timers);
	}

	/** Waits until other threads have got as far as a condition. */
	static void await(BooleanSupplier condition) {
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - start > PATIENCE) {
				throw new AssertionError("other threads did not get there");
			}
			LockSupport.parkNanos(50_000);
		}
	}

	private record Timer(long at, CompletableFuture<Void> over) {

	}

}

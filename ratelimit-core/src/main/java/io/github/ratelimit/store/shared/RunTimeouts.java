package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.store.Delays;

/**
 * A sweeper that fails the runs of one connection past their timeout. It sweeps all of
 * them every few milliseconds, instead of a timer for each, and stops while there are
 * none.
 *
 * <p>
 * A pause of the machine does not consume timeouts: a late sweep counts as one interval.
 * Once runs get close to their timeout, the threads that read replies do the sweep, after
 * they have read, so that no run fails whose reply has arrived.
 */
public final class RunTimeouts {

	private static final long BETWEEN_SWEEPS = TimeUnit.MILLISECONDS.toNanos(5);

	/** The most time that counts between two sweeps, however late the second is. */
	private static final long MOST_OF_A_SWEEP = 2 * BETWEEN_SWEEPS;

	/**
	 * The number of timeouts for which a reading thread may be blocked before the sweep
	 * goes on without it.
	 */
	private static final int PATIENCE = 10;

	private final Queue<PendingRun<?, ?>> runs = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean sweeping = new AtomicBoolean();

	private final long timeout;

	private final Executor afterReading;

	private final TimeSource time;

	private volatile Tick tick;

	/**
	 * Creates a sweeper.
	 * @param timeout the timeout of a run
	 * @param afterReading runs a task after all replies that arrived before it have been
	 * read
	 */
	public RunTimeouts(Duration timeout, Executor afterReading) {
		this(timeout, afterReading, TimeSource.REAL);
	}

	RunTimeouts(Duration timeout, Executor afterReading, TimeSource time) {
		this.timeout = timeout.toNanos();
		this.afterReading = afterReading;
		this.time = time;
		this.tick = new Tick(0, time.nanos());
	}

	/**
	 * Returns the time that counts: without pauses of the machine.
	 * @return nanoseconds from an arbitrary origin
	 */
	public long now() {
		return this.tick.counted(this.time.nanos(), MOST_OF_A_SWEEP);
	}

	/**
	 * Starts the timeout of a run, less the time that its requests were queued. Starts to
	 * sweep, unless it does already.
	 * @param run the run, which has been sent
	 */
	public void add(PendingRun<?, ?> run) {
		run.setDeadline(now() + this.timeout - run.waited());
		this.runs.add(run);
		if (!this.sweeping.get() && this.sweeping.compareAndSet(false, true)) {
			count(MOST_OF_A_SWEEP);
			sweepIn(Math.min(BETWEEN_SWEEPS, this.timeout));
		}
	}

	/** Counts the time since the last count. One thread counts at a time. */
	private void count(long most) {
		long now = this.time.nanos();
		this.tick = new Tick(this.tick.counted(now, most), now);
	}

	private void sweepIn(long nanos) {
		this.time.runIn(nanos, new Sweep()::start);
	}

	/** Returns the time until the first timeout. */
	private long untilFirstTimeout() {
		long now = now();
		long left = this.timeout;
		for (PendingRun<?, ?> run : this.runs) {
			left = Math.min(left, run.deadline() - now);
		}
		return left;
	}

	private void failLate() {
		long now = now();
		for (PendingRun<?, ?> run : this.runs) {
			if (run.deadline() - now <= 0) {
				run.fail(new TimeoutException());
			}
		}
	}

	/**
	 * Stops if there are no runs, and starts again if one was added while it was
	 * stopping.
	 */
	private boolean tryStop() {
		if (!this.runs.isEmpty()) {
			return false;
		}
		this.sweeping.set(false);
		return this.runs.isEmpty() || !this.sweeping.compareAndSet(false, true);
	}

	/** A sweep of all runs, which is done once. */
	private final class Sweep implements Runnable {

		private final AtomicBoolean done = new AtomicBoolean();

		void start() {
			RunTimeouts.this.runs.removeIf(PendingRun::isEnded);
			if (tryStop()) {
				return;
			}
			if (untilFirstTimeout() > RunTimeouts.this.timeout / 4 * 3) {
				run();
			}
			else {
				RunTimeouts.this.afterReading.execute(this);
				sweepAnyway(0);
			}
		}

		@Override
		public void run() {
			if (this.done.compareAndSet(false, true)) {
				count(MOST_OF_A_SWEEP);
				finish();
			}
		}

		/** Sweeps without the reading threads once one has been blocked for too long. */
		private void sweepAnyway(long blocked) {
			long begin = RunTimeouts.this.time.nanos();
			RunTimeouts.this.time.runIn(BETWEEN_SWEEPS, () -> {
				long waited = blocked + Math.min(RunTimeouts.this.time.nanos() - begin, MOST_OF_A_SWEEP);
				if (waited < PATIENCE * RunTimeouts.this.timeout && !this.done.get()) {
					sweepAnyway(waited);
				}
				else if (this.done.compareAndSet(false, true)) {
					count(waited);
					finish();
				}
			});
		}

		private void finish() {
			failLate();
			RunTimeouts.this.runs.removeIf(PendingRun::isEnded);
			sweepIn(Math.min(BETWEEN_SWEEPS, untilFirstTimeout()));
		}

	}

	/** The time counted up to an instant. */
	private record Tick(long counted, long at) {

		long counted(long now, long most) {
			return this.counted + Math.min(now - this.at, most);
		}

	}

	/** A clock and a timer. */
	interface TimeSource {

		/** The clock and timer of the JVM. */
		TimeSource REAL = new TimeSource() {

			@Override
			public long nanos() {
				return System.nanoTime();
			}

			@Override
			public void runIn(long nanos, Runnable task) {
				CompletableFuture<?> unused = Delays.after(nanos, TimeUnit.NANOSECONDS).thenRun(task);
			}

		};

		long nanos();

		void runIn(long nanos, Runnable task);

	}

}

package io.github.ratelimit.spring.redis;

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
 * Ends runs that Redis does not answer in time. One look at all runs every few
 * milliseconds takes the place of a timer for each; without runs there are no looks.
 *
 * <p>
 * Time in which the machine or this process stood still is not Redis' time: where a look
 * is late, only so much counts as if it were not. A run for which it gets late is looked
 * at by the threads that read replies, after they have read, so that none fails whose
 * reply has arrived.
 */
final class Deadlines {

	private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(5);

	/** Time that counts between two looks, however late the second is. */
	private static final long MOST_OF_A_LOOK = 2 * BETWEEN_LOOKS;

	/** How many timeouts a thread that reads may be blocked for until others go on. */
	private static final int PATIENCE = 10;

	private final Queue<LettuceScriptRun<?>> runs = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean looking = new AtomicBoolean();

	private final long timeout;

	private final Executor afterReading;

	private final Time time;

	private volatile Tick tick;

	/**
	 * Deadlines of the runs on one connection.
	 * @param timeout the time of a run
	 * @param afterReading runs a task once all replies have been read that arrived before
	 */
	Deadlines(Duration timeout, Executor afterReading) {
		this(timeout, afterReading, Time.REAL);
	}

	Deadlines(Duration timeout, Executor afterReading, Time time) {
		this.timeout = timeout.toNanos();
		this.afterReading = afterReading;
		this.time = time;
		this.tick = new Tick(0, time.nanos());
	}

	/** The time that counts, in nanoseconds from no particular instant. */
	long now() {
		return this.tick.counted(this.time.nanos(), MOST_OF_A_LOOK);
	}

	/** Begins the time of a run, less what its calls have waited for others. */
	void add(LettuceScriptRun<?> run) {
		run.endAt(now() + this.timeout - run.waited());
		this.runs.add(run);
		if (!this.looking.get() && this.looking.compareAndSet(false, true)) {
			count(MOST_OF_A_LOOK);
			lookIn(Math.min(BETWEEN_LOOKS, this.timeout));
		}
	}

	/** Counts the time since it was counted last; one thread does so at a time. */
	private void count(long most) {
		long now = this.time.nanos();
		this.tick = new Tick(this.tick.counted(now, most), now);
	}

	private void lookIn(long nanos) {
		this.time.runIn(nanos, new Look()::begin);
	}

	/** How much time is left of the run that ends first. */
	private long left() {
		long now = now();
		long left = this.timeout;
		for (LettuceScriptRun<?> run : this.runs) {
			left = Math.min(left, run.end() - now);
		}
		return left;
	}

	private void endLate() {
		long now = now();
		for (LettuceScriptRun<?> run : this.runs) {
			if (run.end() - now <= 0) {
				run.fail(new TimeoutException());
			}
		}
	}

	/** Goes on looking if a run was added while this stopped. */
	private boolean tryStop() {
		if (!this.runs.isEmpty()) {
			return false;
		}
		this.looking.set(false);
		return this.runs.isEmpty() || !this.looking.compareAndSet(false, true);
	}

	/** A look at all runs, which is carried out once. */
	private final class Look implements Runnable {

		private final AtomicBoolean done = new AtomicBoolean();

		void begin() {
			Deadlines.this.runs.removeIf(LettuceScriptRun::isOver);
			if (tryStop()) {
				return;
			}
			if (left() > Deadlines.this.timeout / 4 * 3) {
				run();
			}
			else {
				Deadlines.this.afterReading.execute(this);
				insist(0);
			}
		}

		@Override
		public void run() {
			if (this.done.compareAndSet(false, true)) {
				count(MOST_OF_A_LOOK);
				end();
			}
		}

		/** Does without the threads that read where one is blocked for too long. */
		private void insist(long blocked) {
			long begin = Deadlines.this.time.nanos();
			Deadlines.this.time.runIn(BETWEEN_LOOKS, () -> {
				long waited = blocked + Math.min(Deadlines.this.time.nanos() - begin, MOST_OF_A_LOOK);
				if (waited < PATIENCE * Deadlines.this.timeout && !this.done.get()) {
					insist(waited);
				}
				else if (this.done.compareAndSet(false, true)) {
					count(waited);
					end();
				}
			});
		}

		private void end() {
			endLate();
			Deadlines.this.runs.removeIf(LettuceScriptRun::isOver);
			lookIn(Math.min(BETWEEN_LOOKS, left()));
		}

	}

	/**
	 * What is counted at an instant.
	 */
	private record Tick(long counted, long at) {

		long counted(long now, long most) {
			return this.counted + Math.min(now - this.at, most);
		}

	}

	/** A clock and a timer. */
	interface Time {

		/** Those of the JVM. */
		Time REAL = new Time() {

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

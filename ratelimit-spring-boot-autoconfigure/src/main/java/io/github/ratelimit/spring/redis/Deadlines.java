package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends runs that are not answered in time. One look at all runs every few milliseconds
 * takes the place of a timer for each, and nobody looks while there are none.
 */
final class Deadlines {

	private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(5);

	private final Queue<LettuceScriptRun<?>> runs = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean looking = new AtomicBoolean();

	private final long timeout;

	Deadlines(Duration timeout) {
		this.timeout = timeout.toNanos();
	}

	void add(LettuceScriptRun<?> run) {
		this.runs.add(run);
		if (!this.looking.get() && this.looking.compareAndSet(false, true)) {
			lookAgainIn(Math.min(BETWEEN_LOOKS, this.timeout));
		}
	}

	private void lookAgainIn(long nanos) {
		CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run).execute(this::look);
	}

	private void look() {
		long now = System.nanoTime();
		long next = BETWEEN_LOOKS;
		for (Iterator<LettuceScriptRun<?>> all = this.runs.iterator(); all.hasNext();) {
			LettuceScriptRun<?> run = all.next();
			long left = this.timeout - (now - run.since());
			if (run.isOver()) {
				all.remove();
			}
			else if (left <= 0) {
				all.remove();
				run.fail(new TimeoutException());
			}
			else {
				next = Math.min(next, left);
			}
		}
		if (!isOver()) {
			lookAgainIn(next);
		}
	}

	/** A run that is added while nobody looks has somebody look again. */
	private boolean isOver() {
		if (!this.runs.isEmpty()) {
			return false;
		}
		this.looking.set(false);
		return this.runs.isEmpty() || !this.looking.compareAndSet(false, true);
	}

}

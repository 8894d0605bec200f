package io.github.ratelimit.benchmarks.load;

import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Calls each of which begins when the one before it has ended, on whatever thread that
 * happens. Answers that are there at once do not nest: the thread that is in the loop
 * goes around once more for them.
 */
final class AsyncCalls implements Runnable {

	private final Contender contender;

	private final Caller caller;

	private final Phase phase;

	private final boolean allows;

	private final Runnable atEnd;

	/** Calls to make, one of which is being made by the thread that has found none. */
	private final AtomicInteger due = new AtomicInteger();

	AsyncCalls(Contender contender, Caller caller, Phase phase, boolean allows, Runnable atEnd) {
		this.contender = contender;
		this.caller = caller;
		this.phase = phase;
		this.allows = allows;
		this.atEnd = atEnd;
	}

	@Override
	public void run() {
		this.caller.begins();
		next();
	}

	private void next() {
		if (this.due.getAndIncrement() == 0) {
			do {
				call();
			}
			while (this.due.decrementAndGet() > 0);
		}
	}

	private void call() {
		if (this.phase.hasEnded()) {
			this.atEnd.run();
			return;
		}
		try {
			this.contender.acquireAsync(this.caller.nextKey()).whenComplete(this::ended);
		}
		catch (RuntimeException ex) {
			ended(null, ex);
		}
	}

	private void ended(@Nullable Boolean allowed, @Nullable Throwable failure) {
		if (failure != null) {
			this.phase.fail(failure);
			this.atEnd.run();
			return;
		}
		this.caller.ended(Boolean.valueOf(this.allows).equals(allowed));
		next();
	}

}

package io.github.ratelimit.jdbc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The background work of a store: it probes the database twice a second, so that the
 * circuit breaker follows it without calls, and deletes what has run out twice a minute.
 * Each instance does so; none waits for what another deletes.
 */
final class Housekeeping {

	private static final Log logger = LogFactory.getLog(Housekeeping.class);

	private static final long PAUSE_MILLIS = 500;

	private static final long SWEEP_SECONDS = 30;

	/** The rows that one transaction deletes, in less than the shortest usual timeout. */
	private static final int PART = 5_000;

	private final Transactions transactions;

	private final Runnable probe;

	private @Nullable CountDownLatch stopped;

	/**
	 * Creates the work.
	 * @param probe is run twice a second, and may throw
	 */
	Housekeeping(Transactions transactions, Runnable probe) {
		this.transactions = transactions;
		this.probe = probe;
	}

	/** Starts in the background, unless it has. */
	synchronized void start() {
		if (this.stopped == null) {
			CountDownLatch stop = new CountDownLatch(1);
			this.stopped = stop;
			Thread thread = new Thread(() -> run(stop), "ratelimit-jdbc-housekeeping");
			thread.setDaemon(true);
			thread.start();
		}
	}

	synchronized void stop() {
		if (this.stopped != null) {
			this.stopped.countDown();
			this.stopped = null;
		}
	}

	private void run(CountDownLatch stop) {
		try {
			long nextSweep = System.nanoTime() + pause();
			while (!stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
				attempt(this.probe);
				if (System.nanoTime() - nextSweep >= 0) {
					attempt(this::sweep);
					nextSweep = System.nanoTime() + pause();
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns a time that differs, so that instances take turns. */
	private static long pause() {
		long longest = TimeUnit.SECONDS.toNanos(SWEEP_SECONDS);
		return ThreadLocalRandom.current().nextLong(longest / 2, longest);
	}

	private static void attempt(Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException | Error ex) {
			logger.trace("The database did not reply", ex);
		}
	}

	/**
	 * Deletes what has run out.
	 * @return the number of rows
	 */
	int sweep() {
		return sweep(Postgresql.SWEEP_COUNTS) + sweep(Postgresql.SWEEP_DETACHED);
	}

	private int sweep(String sql) {
		int swept = 0;
		int part;
		do {
			part = sweepPart(sql).join();
			swept += part;
		}
		while (part == PART);
		return swept;
	}

	private CompletableFuture<Integer> sweepPart(String sql) {
		return this.transactions.start((connection, jdbc) -> jdbc.update(sql, PART));
	}

}

package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Work in the background from the start of an application until Redis has answered once:
 * connecting, again every half second, a first run of a script, the checks, and what else
 * is to be done before calls are served.
 */
final class StartUp {

	private static final Log logger = LogFactory.getLog(RedisRateLimitStore.class);

	private static final long PAUSE_MILLIS = 500;

	private static final long BETWEEN_LOOKS_MILLIS = 5;

	private static final long MOST_OF_A_LOOK = TimeUnit.MILLISECONDS.toNanos(2 * BETWEEN_LOOKS_MILLIS);

	/** How much longer this process may take than Redis. */
	private static final int PATIENCE = 20;

	private final ScriptRunner runner;

	private final ServerChecks checks;

	private final Executor afterReading;

	private final AtomicBoolean begun = new AtomicBoolean();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> answered = new CompletableFuture<>();

	private final CountDownLatch ended = new CountDownLatch(1);

	/** Whether the last attempt failed, other than by taking too long. */
	private volatile boolean failed;

	/**
	 * The start of a store.
	 * @param afterReading runs a task once all replies have been read that arrived before
	 */
	StartUp(ScriptRunner runner, ServerChecks checks, Executor afterReading) {
		this.runner = runner;
		this.checks = checks;
		this.afterReading = afterReading;
	}

	/** Begins with a first decision, which costs nothing, once. */
	void begin(Runnable firstRun) {
		if (this.begun.compareAndSet(false, true)) {
			start("ratelimit-redis-start", () -> run(firstRun));
		}
	}

	/**
	 * Carries out a task once Redis has answered, and waits for it while Redis may be
	 * expected to answer: until an attempt fails other than by taking too long, and no
	 * longer than allowed. Then the task is carried out later.
	 */
	void carryOut(Runnable task, Duration longest) throws InterruptedException {
		CountDownLatch done = new CountDownLatch(1);
		start("ratelimit-redis-rehearsal", () -> afterAnswer(task, done));
		long left = longest.toNanos();
		while (left > 0 && isPromising() && done.getCount() > 0) {
			left -= waited(done);
		}
	}

	private void afterAnswer(Runnable task, CountDownLatch done) {
		try {
			this.answered.join();
			task.run();
		}
		catch (RuntimeException ex) {
			logger.debug("Calls could not be rehearsed", ex);
		}
		finally {
			done.countDown();
		}
	}

	void end() {
		this.ended.countDown();
		this.answered.cancel(false);
	}

	private boolean isPromising() {
		return !this.failed || this.answered.isDone();
	}

	/**
	 * For how long Redis kept this waiting, of the few milliseconds that it waits. What
	 * this process does itself counts as well, but little, so that there is an end to it.
	 */
	private long waited(CountDownLatch done) throws InterruptedException {
		long begin = System.nanoTime();
		AtomicBoolean read = new AtomicBoolean();
		this.afterReading.execute(() -> read.set(true));
		boolean isDone = done.await(BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
		long time = Math.min(System.nanoTime() - begin, MOST_OF_A_LOOK);
		return (isDone || isWorking() || !read.get()) ? time / PATIENCE : time;
	}

	/** A first connection loads many classes, which takes a busy machine some time. */
	private boolean isWorking() {
		return !this.runner.blocks()
				&& this.threads.stream().anyMatch((thread) -> thread.getState() == Thread.State.RUNNABLE);
	}

	private void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		this.threads.add(thread);
		thread.start();
	}

	private void run(Runnable firstRun) {
		try {
			while (!answers(firstRun)) {
				if (this.ended.await(this.failed ? PAUSE_MILLIS : 0, TimeUnit.MILLISECONDS)) {
					return;
				}
			}
			this.answered.complete(null);
			this.checks.run();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean answers(Runnable firstRun) {
		try {
			this.runner.connect();
			firstRun.run();
			return true;
		}
		catch (RateLimitStoreException ex) {
			this.checks.explain(ex);
			this.failed = ex.getKind() != Kind.TIMEOUT;
			return false;
		}
		catch (RuntimeException ex) {
			logger.debug("Redis could not be asked", ex);
			this.failed = true;
			return false;
		}
	}

}

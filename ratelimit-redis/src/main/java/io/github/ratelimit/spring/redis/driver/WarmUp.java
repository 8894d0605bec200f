package io.github.ratelimit.spring.redis.driver;

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
 * The background work of a store. At the start of an application, it connects, retrying
 * every half second, runs a script once, and then runs the tasks that prepare for
 * requests. After every attempt that failed, and every half second once Redis has
 * replied, it probes the server.
 */
public final class WarmUp {

	private static final Log logger = LogFactory.getLog(WarmUp.class);

	private static final long PAUSE_MILLIS = 500;

	private static final long LAST_PROBE_MILLIS = 100;

	private static final long POLL_MILLIS = 5;

	private static final long MOST_OF_A_POLL = TimeUnit.MILLISECONDS.toNanos(2 * POLL_MILLIS);

	/** The factor by which this process may take longer than Redis. */
	private static final int PATIENCE = 20;

	private final ScriptRunner runner;

	private final ServerChecks checks;

	private final Executor afterReading;

	private final AtomicBoolean started = new AtomicBoolean();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private volatile CompletableFuture<Void> replied = new CompletableFuture<>();

	private volatile CountDownLatch stopped = new CountDownLatch(1);

	/** Set if the last attempt failed, other than by a timeout. */
	private volatile boolean failed;

	/**
	 * Creates the work.
	 * @param afterReading runs a task after all replies that arrived before it have been
	 * read
	 */
	public WarmUp(ScriptRunner runner, ServerChecks checks, Executor afterReading) {
		this.runner = runner;
		this.checks = checks;
		this.afterReading = afterReading;
	}

	/**
	 * Starts in the background. Has no effect before the stop if it has started.
	 * @param firstRun makes a decision that charges nothing
	 * @param probe reports to the circuit breaker whether Redis replies
	 */
	public void start(Runnable firstRun, Runnable probe) {
		if (this.started.compareAndSet(false, true)) {
			CountDownLatch stop = this.stopped;
			startThread("ratelimit-redis-start", () -> run(firstRun, probe, stop));
		}
	}

	/**
	 * Runs a task in the background after the first reply of Redis, and waits for it. The
	 * wait ends when an attempt to connect fails, other than by a timeout, or after the
	 * longest time; the task then runs later.
	 */
	public void afterFirstReply(Runnable task, Duration longest) throws InterruptedException {
		Thread thread = startThread("ratelimit-redis-preload", () -> afterReply(task));
		long left = longest.toNanos();
		while (left > 0 && isPromising() && thread.isAlive()) {
			left -= join(thread);
		}
	}

	/** Runs a task in the background after the first reply of Redis. */
	public void afterFirstReply(Runnable task) {
		startThread("ratelimit-redis-check", () -> afterReply(task));
	}

	private void afterReply(Runnable task) {
		try {
			this.replied.join();
			task.run();
		}
		catch (RuntimeException ex) {
			logger.debug("Redis could not be prepared", ex);
		}
	}

	/**
	 * Stops, and cancels tasks that wait for the first reply. Waits a moment for a probe
	 * in flight, as the connection is about to be closed. It can then start again.
	 */
	public void stop() {
		this.stopped.countDown();
		this.replied.cancel(false);
		try {
			for (Thread thread : this.threads) {
				thread.join(LAST_PROBE_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.threads.clear();
		this.failed = false;
		this.replied = new CompletableFuture<>();
		this.stopped = new CountDownLatch(1);
		this.started.set(false);
	}

	private boolean isPromising() {
		return !this.failed || this.replied.isDone();
	}

	/**
	 * Waits for a thread for a few milliseconds, and returns how much of that is Redis'
	 * time. The work of this process counts a little too, so that the wait ends.
	 */
	private long join(Thread thread) throws InterruptedException {
		long begin = System.nanoTime();
		AtomicBoolean read = new AtomicBoolean();
		this.afterReading.execute(() -> read.set(true));
		thread.join(POLL_MILLIS);
		long time = Math.min(System.nanoTime() - begin, MOST_OF_A_POLL);
		return (isWorking() || !read.get()) ? time / PATIENCE : time;
	}

	/**
	 * Returns whether this process is at work: the first connection loads many classes,
	 * which takes a busy machine some time.
	 */
	private boolean isWorking() {
		return !this.runner.blocks()
				&& this.threads.stream().anyMatch((thread) -> thread.getState() == Thread.State.RUNNABLE);
	}

	private Thread startThread(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		this.threads.add(thread);
		thread.start();
		return thread;
	}

	private void run(Runnable firstRun, Runnable probe, CountDownLatch stop) {
		try {
			while (!tryFirstRun(firstRun)) {
				tryProbe(probe);
				if (stop.await(this.failed ? PAUSE_MILLIS : 0, TimeUnit.MILLISECONDS)) {
					return;
				}
			}
			this.replied.complete(null);
			while (!stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
				tryProbe(probe);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Probes Redis. The circuit breaker has recorded a failure before this returns. */
	private static void tryProbe(Runnable probe) {
		try {
			probe.run();
		}
		catch (RuntimeException | Error ex) {
			logger.trace("A probe of Redis failed", ex);
		}
	}

	private boolean tryFirstRun(Runnable firstRun) {
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
		catch (RuntimeException | Error ex) {
			logger.debug("Redis could not be asked", ex);
			this.failed = true;
			return false;
		}
	}

}

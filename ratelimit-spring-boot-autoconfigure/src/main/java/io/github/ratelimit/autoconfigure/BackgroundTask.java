package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle step that runs a task in the background, again and again. A failure of the
 * task, also an {@link Error} of a bean, is logged and does not end it.
 */
public final class BackgroundTask implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(BackgroundTask.class);

	private final String name;

	private final Runnable task;

	private final Duration interval;

	private final Runnable lastTask;

	private final int phase;

	/** The kind of the last error, unless the task has run since. */
	private volatile @Nullable Class<?> reported;

	private volatile CountDownLatch stopped = new CountDownLatch(0);

	/**
	 * Creates a step.
	 * @param name the name of the thread
	 * @param task the task
	 * @param interval the time before each run, at least a millisecond
	 */
	public BackgroundTask(String name, Runnable task, Duration interval) {
		this(name, task, interval, () -> {
		}, DEFAULT_PHASE);
	}

	/**
	 * Creates a step that runs a last task when it stops.
	 * @param name the name of the thread
	 * @param task the task
	 * @param interval the time before each run, at least a millisecond
	 * @param lastTask the task at the stop, on the thread that stops, which may run
	 * together with the other
	 * @param phase the phase of the step
	 */
	public BackgroundTask(String name, Runnable task, Duration interval, Runnable lastTask, int phase) {
		this.name = name;
		this.task = task;
		this.interval = interval;
		this.lastTask = lastTask;
		this.phase = phase;
	}

	@Override
	public void start() {
		CountDownLatch stop = new CountDownLatch(1);
		this.stopped = stop;
		Thread thread = new Thread(() -> run(stop), this.name);
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void stop() {
		this.stopped.countDown();
		tryRun(this.lastTask);
	}

	@Override
	public boolean isRunning() {
		return this.stopped.getCount() > 0;
	}

	@Override
	public int getPhase() {
		return this.phase;
	}

	private void run(CountDownLatch stop) {
		try {
			while (!stop.await(this.interval.toMillis(), TimeUnit.MILLISECONDS)) {
				tryRun(this.task);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void tryRun(Runnable task) {
		try {
			task.run();
			this.reported = null;
		}
		catch (RuntimeException ex) {
			logger.debug("A task of thread " + this.name + " failed", ex);
		}
		catch (Error ex) {
			report(ex);
		}
	}

	/**
	 * Logs an error, which tasks do not report themselves, once for each kind in a row.
	 */
	private void report(Error error) {
		if (!error.getClass().equals(this.reported)) {
			logger.error("A task of thread " + this.name + " failed, and runs again", error);
		}
		this.reported = error.getClass();
	}

}

package io.github.ratelimit.spring.control;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.github.ratelimit.spring.control.Control.Pause;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The controls that the limiter sets itself: bans of keys that are denied again and
 * again, and pauses that upstreams demand. A control that lasts longer stays. Controls
 * are set on a thread of their own; while too many wait for it or are in effect, further
 * ones are dropped. Thread-safe.
 */
public final class AutomaticControls {

	private static final Log logger = LogFactory.getLog(AutomaticControls.class);

	/** The most bans in effect, which leaves operators room for their own. */
	private static final int MOST_BANS = ControlStore.MOST / 2;

	/** The most pauses in effect, which upstreams that callers choose may demand. */
	private static final int MOST_PAUSES = 1_000;

	private static final int QUEUE = 1000;

	private final Supplier<Controls> controls;

	private final Executor executor;

	private final LongSupplier nanoClock;

	/**
	 * Creates automatic controls.
	 * @param controls supplies the controls when they are first used
	 */
	public AutomaticControls(Supplier<Controls> controls) {
		this(controls, executor(), System::nanoTime);
	}

	/**
	 * Creates automatic controls.
	 * @param controls supplies the controls when they are first used
	 * @param executor sets them
	 * @param nanoClock a clock like {@link System#nanoTime}
	 */
	public AutomaticControls(Supplier<Controls> controls, Executor executor, LongSupplier nanoClock) {
		this.controls = controls;
		this.executor = executor;
		this.nanoClock = nanoClock;
	}

	/**
	 * Sets a control within a moment, unless there are too many or the store fails.
	 * @param control the control
	 * @param time how long it lasts from now
	 * @param known called when it, or one that lasts longer, is in effect
	 */
	public void set(Control.OfKey control, Duration time, Runnable known) {
		long end = this.nanoClock.getAsLong() + time.toNanos();
		this.executor.execute(() -> trySet(control, end, known));
	}

	/**
	 * Returns the time until calls to an upstream may be made, without blocking.
	 * @param policy the name of the policy of outbound calls
	 * @param key the key of the upstream
	 * @return zero if no instance knows of a pause
	 */
	public Duration pauseLeft(String policy, String key) {
		return this.controls.get().pauseLeft(policy, key);
	}

	private void trySet(Control.OfKey control, long end, Runnable known) {
		Duration time = Duration.ofNanos(end - this.nanoClock.getAsLong());
		try {
			Controls controls = this.controls.get();
			int most = (control instanceof Pause) ? MOST_PAUSES : MOST_BANS;
			if (!time.isNegative() && !time.isZero() && controls.count(control.kind()) < most) {
				controls.extend(control, time, (control instanceof Pause) ? Origin.UPSTREAM : Origin.PENALTY);
				known.run();
			}
		}
		catch (RuntimeException ex) {
			logger.debug("A control could not be set", ex);
		}
		catch (Error ex) {
			logger.warn("A control could not be set", ex);
		}
	}

	private static Executor executor() {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE),
				(task) -> {
					Thread thread = new Thread(task, "ratelimit-automatic-controls");
					thread.setDaemon(true);
					return thread;
				}, new ThreadPoolExecutor.DiscardPolicy());
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

}

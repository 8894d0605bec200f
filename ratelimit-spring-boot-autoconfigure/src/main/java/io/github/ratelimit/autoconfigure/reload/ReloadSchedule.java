package io.github.ratelimit.autoconfigure.reload;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle step that looks for changed configuration files in the background.
 */
final class ReloadSchedule implements SmartLifecycle {

	private final Runnable reload;

	private final Duration interval;

	private volatile CountDownLatch stopped = new CountDownLatch(0);

	ReloadSchedule(Runnable reload, Duration interval) {
		this.reload = reload;
		this.interval = interval;
	}

	@Override
	public void start() {
		CountDownLatch stop = new CountDownLatch(1);
		this.stopped = stop;
		Thread thread = new Thread(() -> run(stop), "ratelimit-reload");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void stop() {
		this.stopped.countDown();
	}

	@Override
	public boolean isRunning() {
		return this.stopped.getCount() > 0;
	}

	private void run(CountDownLatch stop) {
		try {
			while (!stop.await(this.interval.toMillis(), TimeUnit.MILLISECONDS)) {
				this.reload.run();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

package io.github.ratelimit.spring.redis;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.RateLimitStoreException;

/**
 * What happens in the background from the start of an application on until Redis has
 * answered once: connecting, again every half second, a first run so that Redis knows the
 * script, and the checks.
 */
final class StartUp {

	private static final long PAUSE_MILLIS = 500;

	private final ScriptRunner runner;

	private final ServerChecks checks;

	private final CountDownLatch ended = new CountDownLatch(1);

	StartUp(ScriptRunner runner, ServerChecks checks) {
		this.runner = runner;
		this.checks = checks;
	}

	/** With a first decision, which costs nothing. */
	void begin(Runnable firstRun) {
		Thread thread = new Thread(() -> run(firstRun), "ratelimit-redis-start");
		thread.setDaemon(true);
		thread.start();
	}

	void end() {
		this.ended.countDown();
	}

	private void run(Runnable firstRun) {
		try {
			while (!answers(firstRun)) {
				if (this.ended.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
					return;
				}
			}
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
			return false;
		}
	}

}

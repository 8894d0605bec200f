package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.spring.control.Controls;

import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle step that prepares an instance for its first call, before web servers and
 * listeners accept calls.
 */
final class StartStep implements SmartLifecycle {

	private final Preparation preparation;

	private final Runnable end;

	private volatile boolean running;

	/**
	 * Creates a step.
	 * @param preparation what the application waits for before it serves
	 * @param end runs when the application stops
	 */
	StartStep(Preparation preparation, Runnable end) {
		this.preparation = preparation;
		this.end = end;
	}

	@Override
	public void start() {
		this.running = true;
		try {
			this.preparation.run();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void stop() {
		this.running = false;
		this.end.run();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return Controls.PHASE;
	}

	/** Work that may wait. */
	@FunctionalInterface
	interface Preparation {

		/**
		 * Does the work.
		 * @throws InterruptedException if the thread is interrupted while it waits
		 */
		void run() throws InterruptedException;

	}

}

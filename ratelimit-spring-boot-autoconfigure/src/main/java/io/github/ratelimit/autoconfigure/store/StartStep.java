package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.spring.control.Controls;

import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle step that prepares an instance for its first call, before web servers and
 * listeners accept calls.
 */
final class StartStep implements SmartLifecycle {

	private final Preparation preparation;

	private volatile boolean running;

	/**
	 * Creates a step.
	 * @param preparation what the application waits for before it serves
	 */
	StartStep(Preparation preparation) {
		this.preparation = preparation;
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

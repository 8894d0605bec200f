package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import io.github.ratelimit.autoconfigure.store.StartPhase;
import io.github.ratelimit.spring.control.Controls;

import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle step that reads the controls, before web servers and listeners accept
 * calls.
 */
final class ControlStart implements SmartLifecycle {

	private final Controls controls;

	private final Duration longest;

	private volatile boolean running;

	ControlStart(Controls controls, Duration longest) {
		this.controls = controls;
		this.longest = longest;
	}

	@Override
	public void start() {
		this.running = true;
		try {
			this.controls.start(this.longest);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void stop() {
		this.running = false;
		this.controls.stop();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return StartPhase.BEFORE_CALLS;
	}

}

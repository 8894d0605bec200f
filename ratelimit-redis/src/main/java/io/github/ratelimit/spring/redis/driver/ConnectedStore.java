package io.github.ratelimit.spring.redis.driver;

import org.springframework.context.SmartLifecycle;

/**
 * A store that holds no connection while the application context is stopped, such as for
 * a checkpoint of the JVM. It is usable before the context starts.
 */
public abstract class ConnectedStore implements SmartLifecycle {

	/** The phase after that of Spring Data's connections, which stores may share. */
	private static final int PHASE = 1;

	private volatile boolean running = true;

	@Override
	public final void start() {
		allowConnections();
		this.running = true;
	}

	@Override
	public final void stop() {
		this.running = false;
		closeConnections();
	}

	/** Permits connections again. */
	protected abstract void allowConnections();

	/** Closes the store's own connections and opens no others. */
	protected abstract void closeConnections();

	@Override
	public final boolean isRunning() {
		return this.running;
	}

	@Override
	public final int getPhase() {
		return PHASE;
	}

}

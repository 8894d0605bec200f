package io.github.ratelimit.autoconfigure.store;

import org.springframework.context.SmartLifecycle;

/**
 * The phase of lifecycle steps that prepare an instance for its first call.
 */
public final class StartPhase {

	/** A phase before web servers, which start 2048 before the last, and listeners. */
	public static final int BEFORE_CALLS = SmartLifecycle.DEFAULT_PHASE - 4096;

	private StartPhase() {
	}

}

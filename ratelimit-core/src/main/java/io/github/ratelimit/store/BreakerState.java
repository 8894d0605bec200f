package io.github.ratelimit.store;

/**
 * Whether a store is asked for decisions. One that fails repeatedly is not, but for a
 * probe from time to time, until it answers again.
 */
public enum BreakerState {

	/** Every call is decided by the store. */
	CLOSED,

	/** A call is trying whether the store decides again; all others fail at once. */
	HALF_OPEN,

	/** Calls fail at once. */
	OPEN

}

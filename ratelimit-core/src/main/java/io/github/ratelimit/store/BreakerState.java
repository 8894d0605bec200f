package io.github.ratelimit.store;

/**
 * The state of a store's circuit breaker. A store that fails repeatedly receives no
 * requests, except for an occasional probe, until it replies again.
 */
public enum BreakerState {

	/** All requests are sent to the store. */
	CLOSED,

	/** A probe is in flight; all other requests fail at once. */
	HALF_OPEN,

	/** Requests fail at once. */
	OPEN

}

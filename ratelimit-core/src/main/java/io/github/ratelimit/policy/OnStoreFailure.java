package io.github.ratelimit.policy;

/**
 * The fate of a call that the store fails to decide.
 */
public enum OnStoreFailure {

	/** The policy does not limit the call; others still do. */
	ALLOW,

	/**
	 * The call ends in a {@link io.github.ratelimit.store.RateLimitStoreException},
	 * whatever its other policies do.
	 */
	DENY,

	/**
	 * This instance decides, by a share of each limit that it counts in its own memory.
	 * The default, with the whole limit as the share.
	 */
	LOCAL

}

package io.github.ratelimit;

/**
 * What becomes of a call that the store fails to decide.
 */
public enum OnStoreFailure {

	/** The policy does not limit the call; others still do. */
	ALLOW,

	/**
	 * The call ends in a {@link io.github.ratelimit.store.RateLimitStoreException},
	 * whatever the other policies that it charges say.
	 */
	DENY,

	/**
	 * This instance decides, by a share of each limit that it counts on its own in
	 * memory.
	 */
	LOCAL

}

package io.github.ratelimit.spring.redis;

import java.time.Duration;

/**
 * Options that save round trips to Redis. None of them admits a request that Redis would
 * deny.
 *
 * @param coalesce whether requests that come at the same time share a script run, on
 * Lettuce's connections
 * @param denials the most denials to cache, rounded down to a power of two; 0 for none
 * @param denialAge the longest time to cache a denial. For so long, a request may be
 * denied even if another instance has refunded or reset what was spent
 */
public record RedisStoreOptions(boolean coalesce, int denials, Duration denialAge) {

	/** The denials that are cached by default. */
	public static final int STANDARD_DENIALS = 16_384;

	/** The time for which a denial is cached by default, in seconds. */
	public static final int STANDARD_DENIAL_SECONDS = 1;

	/** All options on. */
	public static final RedisStoreOptions STANDARD = new RedisStoreOptions(true, STANDARD_DENIALS,
			Duration.ofSeconds(STANDARD_DENIAL_SECONDS));

	/** All options off: each request has a script run of its own. */
	public static final RedisStoreOptions NONE = new RedisStoreOptions(false, 0, Duration.ZERO);

	/**
	 * Checks the components.
	 * @param coalesce whether requests that come at the same time share a script run, on
	 * Lettuce's connections
	 * @param denials the most denials to cache, rounded down to a power of two
	 * @param denialAge the longest time to cache a denial
	 */
	public RedisStoreOptions {
		if (denials < 0) {
			throw new IllegalArgumentException("'denials' must not be negative, was " + denials);
		}
		if (denialAge.isNegative()) {
			throw new IllegalArgumentException("'denialAge' must not be negative, was " + denialAge);
		}
	}

	/** Returns these options without the cache of denials. */
	RedisStoreOptions withoutDenials() {
		return new RedisStoreOptions(this.coalesce, 0, this.denialAge);
	}

}

package io.github.ratelimit.jdbc;

import java.time.Duration;

/**
 * Options of a store in a database.
 *
 * @param poolSize the most connections, each of which decides up to 64 calls at a time,
 * from 1 to 64
 * @param timeout the timeout of a decision, from 10 milliseconds to a minute
 * @param denials the most denials to cache, rounded down to a power of two; 0 for none
 * @param denialAge the longest time to cache a denial. For so long, a request may be
 * denied even if another instance has refunded or reset what was spent
 */
public record JdbcStoreOptions(int poolSize, Duration timeout, int denials, Duration denialAge) {

	/** The connections by default. */
	public static final int STANDARD_POOL_SIZE = 4;

	/** The timeout by default, in milliseconds. */
	public static final int STANDARD_TIMEOUT_MILLIS = 500;

	private static final int LARGEST_POOL = 64;

	private static final Duration SHORTEST = Duration.ofMillis(10);

	private static final Duration LONGEST = Duration.ofMinutes(1);

	/** The standard. */
	public static final JdbcStoreOptions STANDARD = new JdbcStoreOptions(STANDARD_POOL_SIZE,
			Duration.ofMillis(STANDARD_TIMEOUT_MILLIS), 16_384, Duration.ofSeconds(1));

	/**
	 * Checks the components.
	 * @param poolSize the most connections
	 * @param timeout the timeout of a decision
	 * @param denials the most denials to cache
	 * @param denialAge the longest time to cache a denial
	 */
	public JdbcStoreOptions {
		if (poolSize < 1 || poolSize > LARGEST_POOL) {
			throw new IllegalArgumentException("'poolSize' must be from 1 to " + LARGEST_POOL + ", was " + poolSize);
		}
		if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("'timeout' must be from 10ms to 1m, was " + timeout);
		}
		if (denials < 0) {
			throw new IllegalArgumentException("'denials' must not be negative, was " + denials);
		}
		if (denialAge.isNegative()) {
			throw new IllegalArgumentException("'denialAge' must not be negative, was " + denialAge);
		}
	}

	/**
	 * Returns these options with other connections and another timeout.
	 * @param poolSize the most connections
	 * @param timeout the timeout of a decision
	 * @return the options
	 */
	public JdbcStoreOptions with(int poolSize, Duration timeout) {
		return new JdbcStoreOptions(poolSize, timeout, this.denials, this.denialAge);
	}

	JdbcStoreOptions withoutDenials() {
		return new JdbcStoreOptions(this.poolSize, this.timeout, 0, this.denialAge);
	}

}

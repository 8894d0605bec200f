package io.github.ratelimit.autoconfigure.redis;

import org.jspecify.annotations.Nullable;

/**
 * The names of what an application has in Redis.
 *
 * @param prefix the start of every key
 * @param client the start of the name of every dedicated connection, in ASCII without
 * spaces
 * @param application the name of the application, or {@code null}
 */
record RedisNames(String prefix, String client, @Nullable String application) {

	/**
	 * Returns the names of an application.
	 * @param keyPrefix the configured start of every key, or {@code null}
	 * @param application the name of the application, or {@code null}
	 */
	static RedisNames of(@Nullable String keyPrefix, @Nullable String application) {
		return new RedisNames(KeyPrefix.of(keyPrefix, application), KeyPrefix.of(null, application), application);
	}

	/** Returns the name of the connection for counts. */
	String countsClient() {
		return this.client + ":counts";
	}

	/** Returns the name of the connection for controls. */
	String controlsClient() {
		return this.client + ":controls";
	}

}

package io.github.ratelimit.autoconfigure.redis;

import io.github.ratelimit.autoconfigure.failure.PropertyRange;
import io.github.ratelimit.autoconfigure.store.SharedStore;
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

	private static final String PROPERTY = "ratelimit.redis.key-prefix";

	/**
	 * Returns the names of an application.
	 * @param keyPrefix the configured start of every key, used unchanged, or {@code null}
	 * @param application the name of the application, or {@code null}
	 */
	static RedisNames of(@Nullable String keyPrefix, @Nullable String application) {
		String standard = SharedStore.keyPrefix(application);
		return new RedisNames((keyPrefix != null) ? valid(keyPrefix) : standard, standard, application);
	}

	private static String valid(String prefix) {
		PropertyRange.require(prefix.matches("[\\x21-\\x7e&&[^{}]]{1,64}"), PROPERTY,
				"be 1 to 64 visible ASCII characters without braces", prefix);
		return prefix;
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

package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.StoreType;
import org.jspecify.annotations.Nullable;

/**
 * The kind of store that counts calls, chosen when the application starts.
 *
 * @param type the kind, or {@code null} for a store of the application unless a kind is
 * configured, which then keeps what else is stored
 * @param reason why it was chosen, as a clause
 */
public record StoreChoice(@Nullable StoreType type, String reason) {

	/**
	 * Chooses the store of the application.
	 * @param configured the kind that is configured, or {@code null} for none
	 */
	static StoreChoice own(@Nullable StoreType configured) {
		return new StoreChoice(configured, "the application has a RateLimitStore bean");
	}

	/**
	 * Chooses a store.
	 * @param configured the kind that is configured, or {@code null} for none
	 * @param redis the Redis of the application, or {@code null} if there is no client
	 */
	static StoreChoice of(@Nullable StoreType configured, @Nullable ApplicationRedis redis) {
		if (configured != null) {
			return new StoreChoice(configured, "'ratelimit.store' is set");
		}
		if (redis == null || !redis.isConnectable()) {
			return new StoreChoice(StoreType.MEMORY, "there is no RedisConnectionFactory bean");
		}
		return redis.sign()
			.map((sign) -> new StoreChoice(StoreType.REDIS, sign))
			.orElseGet(() -> new StoreChoice(StoreType.MEMORY,
					"no Redis is configured (to share counts, set 'spring.data.redis.host' or 'ratelimit.store')"));
	}

}

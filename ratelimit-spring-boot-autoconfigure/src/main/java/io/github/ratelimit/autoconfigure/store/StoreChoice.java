package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.StoreType;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The stores that were chosen when the application started.
 *
 * @param stores the stores, which leave counts to a store of the application
 * @param reason why they were chosen, as a clause
 * @param lacksRedis whether they are in memory only because the application has no Redis
 * that it could connect to
 */
public record StoreChoice(Stores stores, String reason, boolean lacksRedis) {

	private StoreChoice(Stores stores, String reason) {
		this(stores, reason, false);
	}

	/**
	 * Chooses the store of the application, and the stores of what else is kept.
	 * @param properties the configuration
	 * @param redis the Redis of the application, or {@code null} if there is no client
	 */
	static StoreChoice own(RateLimitProperties properties, @Nullable ApplicationRedis redis) {
		return new StoreChoice(stores(properties.store(), properties, redis),
				"the application has a RateLimitStore bean");
	}

	/**
	 * Chooses stores.
	 * @param properties the configuration
	 * @param redis the Redis of the application, or {@code null} if there is no client
	 */
	static StoreChoice of(RateLimitProperties properties, @Nullable ApplicationRedis redis) {
		if (properties.store() != null) {
			return new StoreChoice(stores(properties.store(), properties, redis), "'ratelimit.store' is set");
		}
		if (redis == null) {
			return inMemory(properties, "Spring Data Redis is not on the class path "
					+ "(to share counts, add 'spring-boot-starter-data-redis')");
		}
		if (!redis.isConnectable()) {
			return inMemory(properties, "there is no RedisConnectionFactory bean");
		}
		return redis.evidence()
			.map((evidence) -> new StoreChoice(redis.stores(), evidence))
			.orElseGet(() -> inMemory(properties,
					"no Redis is configured (to share counts, set 'spring.data.redis.host' or 'ratelimit.store')"));
	}

	private static StoreChoice inMemory(RateLimitProperties properties, String reason) {
		return new StoreChoice(new MemoryStores(properties.memory()), reason, true);
	}

	private static Stores stores(@Nullable StoreType type, RateLimitProperties properties,
			@Nullable ApplicationRedis redis) {
		if (type != StoreType.REDIS) {
			return new MemoryStores(properties.memory());
		}
		if (redis == null || !redis.isConnectable()) {
			throw new InvalidRateLimitConfigurationException(
					"The property 'ratelimit.store' is 'redis', but there is no RedisConnectionFactory bean",
					"Add spring-boot-starter-data-redis, or set 'ratelimit.store' to 'memory'.", null);
		}
		return redis.stores();
	}

}

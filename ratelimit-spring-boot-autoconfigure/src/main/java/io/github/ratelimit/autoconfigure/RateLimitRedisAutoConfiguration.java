package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.autoconfigure.RateLimitProperties.DenialCache;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Redis;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.Shortcuts;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * {@link AutoConfiguration Auto-configuration} for the Redis store, on a connection of
 * its own to where {@code spring.data.redis} leads, or on the application's.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
@ImportRuntimeHints(RateLimitRuntimeHints.class)
public final class RateLimitRedisAutoConfiguration {

	/** Where Spring Data Redis keeps to itself which nodes a connection factory has. */
	private static final String MASTER_REPLICA = "spring.data.redis.masterreplica.nodes";

	@Bean(initMethod = "warmUp")
	@ConditionalOnBean(RedisConnectionFactory.class)
	@ConditionalOnMissingBean(RateLimitStore.class)
	RedisRateLimitStore rateLimitStore(RedisConnectionFactory connections, RateLimitProperties properties,
			ObjectProvider<RedisStaticMasterReplicaConfiguration> masterReplica, Environment environment) {
		Redis redis = valid(properties.redis());
		boolean known = masterReplica.stream().findAny().isEmpty()
				&& !Binder.get(environment).bind(MASTER_REPLICA, Bindable.listOf(String.class)).isBound();
		RedisRateLimitStore store = store(connections, redis, known && redis.dedicatedConnection())
			.with(shortcuts(redis));
		if (redis.failFast()) {
			connect(store);
		}
		return store;
	}

	private static RedisRateLimitStore store(RedisConnectionFactory connections, Redis redis, boolean dedicated) {
		return (dedicated && connections instanceof LettuceConnectionFactory lettuce)
				? RedisRateLimitStore.beside(lettuce, redis.keyPrefix(), redis.timeout(), redis.connectTimeout())
				: RedisRateLimitStore.on(connections, redis.keyPrefix(), redis.timeout());
	}

	private static Shortcuts shortcuts(Redis redis) {
		DenialCache denials = redis.denialCache();
		return new Shortcuts(redis.coalesce(), denials.enabled() ? denials.maxKeys() : 0, denials.maxAge());
	}

	private static void connect(RedisRateLimitStore store) {
		try {
			store.connect();
		}
		catch (RateLimitStoreException ex) {
			store.close();
			throw new InvalidRateLimitException(
					"The property 'ratelimit.redis.fail-fast' is 'true', and Redis cannot be reached: "
							+ ex.getKind().id(),
					"Start Redis, correct 'spring.data.redis', or set 'ratelimit.redis.fail-fast' to 'false'.", ex);
		}
	}

	private static Redis valid(Redis redis) {
		require(redis.timeout().toMillis() >= 1, "timeout", redis.timeout(), "must be at least 1ms");
		require(redis.connectTimeout().toMillis() >= 1, "connect-timeout", redis.connectTimeout(),
				"must be at least 1ms");
		require(redis.keyPrefix().matches("[\\x21-\\x7e&&[^{}]]{1,64}"), "key-prefix", redis.keyPrefix(),
				"must be 1 to 64 visible ASCII characters without braces");
		DenialCache denials = redis.denialCache();
		require(denials.maxKeys() >= 1, "denial-cache.max-keys", denials.maxKeys(), "must be at least 1");
		require(denials.maxAge().toMillis() >= 1, "denial-cache.max-age", denials.maxAge(), "must be at least 1ms");
		return redis;
	}

	private static void require(boolean valid, String name, Object value, String requirement) {
		if (!valid) {
			String property = "ratelimit.redis." + name;
			throw new InvalidRateLimitException(
					"The property '" + property + "' " + requirement + ", was '" + value + "'",
					"Correct the property '" + property + "'.", null);
		}
	}

}

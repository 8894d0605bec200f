package io.github.ratelimit.autoconfigure.store;

import java.util.EnumSet;
import java.util.Set;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.DenialCache;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Redis;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.redis.RedisControlStore;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.RedisStoreOptions;
import io.github.ratelimit.spring.redis.RedisTopExchange;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import io.github.ratelimit.spring.top.TopExchange;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import org.jspecify.annotations.Nullable;

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
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * {@link AutoConfiguration Auto-configuration} for the Redis store. It has a dedicated
 * connection to the Redis of {@code spring.data.redis}, or shares the application's.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitRedisAutoConfiguration {

	/**
	 * The property of nodes that a connection factory of Spring Data Redis does not
	 * expose.
	 */
	private static final String MASTER_REPLICA = "spring.data.redis.masterreplica.nodes";

	/**
	 * The attempts to connect. The first is slow on a busy machine, as it loads classes.
	 */
	private static final int ATTEMPTS = 3;

	private static final Set<Kind> UNSURE = EnumSet.of(Kind.TIMEOUT, Kind.CONNECTION);

	@Bean(initMethod = "warmUp")
	@ConditionalOnBean(RedisConnectionFactory.class)
	@ConditionalOnMissingBean(RateLimitStore.class)
	RedisRateLimitStore rateLimitStore(RedisConnectionFactory connections, RateLimitProperties properties,
			ObjectProvider<RedisStaticMasterReplicaConfiguration> masterReplica, Environment environment) {
		Redis redis = valid(properties.redis());
		RedisRateLimitStore store = store(connections, redis, prefix(redis, environment),
				isDedicated(redis, masterReplica, environment))
			.with(options(redis));
		if (redis.failFast()) {
			connect(store);
		}
		return store;
	}

	@Bean
	@ConditionalOnBean(RedisRateLimitStore.class)
	WarmStart rateLimitWarmStart(RedisRateLimitStore store, Policies policies, RateLimitProperties properties) {
		return new WarmStart(store, policies, properties.redis().connectTimeout());
	}

	@Bean
	@ConditionalOnBean(RedisRateLimitStore.class)
	@ConditionalOnMissingBean(ControlStore.class)
	@ConditionalOnBooleanProperty(name = "ratelimit.redis.controls", matchIfMissing = true)
	RedisControlStore rateLimitControlStore(RedisConnectionFactory connections, RateLimitProperties properties,
			ObjectProvider<RedisStaticMasterReplicaConfiguration> masterReplica, Environment environment) {
		Redis redis = properties.redis();
		boolean dedicated = isDedicated(redis, masterReplica, environment)
				&& connections instanceof LettuceConnectionFactory lettuce
				&& DedicatedConnectionFactory.canBeLike(lettuce);
		return new RedisControlStore(dedicated
				? DedicatedConnectionFactory.like((LettuceConnectionFactory) connections, redis.connectTimeout())
				: connections, prefix(redis, environment));
	}

	@Bean
	@ConditionalOnBean(RedisRateLimitStore.class)
	@ConditionalOnMissingBean(TopExchange.class)
	@ConditionalOnBooleanProperty(name = "ratelimit.top.enabled", matchIfMissing = true)
	RedisTopExchange rateLimitTopExchange(RedisConnectionFactory connections, RateLimitProperties properties,
			Environment environment) {
		return new RedisTopExchange(connections, prefix(properties.redis(), environment));
	}

	/**
	 * Returns whether connections are dedicated: as configured, unless the application's
	 * have nodes that cannot be read.
	 */
	private static boolean isDedicated(Redis redis, ObjectProvider<RedisStaticMasterReplicaConfiguration> masterReplica,
			Environment environment) {
		return redis.dedicatedConnection() && masterReplica.stream().findAny().isEmpty()
				&& !Binder.get(environment).bind(MASTER_REPLICA, Bindable.listOf(String.class)).isBound();
	}

	private static String prefix(Redis redis, Environment environment) {
		return KeyPrefix.of(redis.keyPrefix(), environment.getProperty("spring.application.name"));
	}

	private static RedisRateLimitStore store(RedisConnectionFactory connections, Redis redis, String prefix,
			boolean dedicated) {
		return (dedicated && connections instanceof LettuceConnectionFactory lettuce)
				? RedisRateLimitStore.dedicated(lettuce, prefix, redis.timeout(), redis.connectTimeout())
				: RedisRateLimitStore.on(connections, prefix, redis.timeout());
	}

	private static RedisStoreOptions options(Redis redis) {
		DenialCache denials = redis.denialCache();
		return new RedisStoreOptions(redis.coalesce(), denials.enabled() ? denials.maxKeys() : 0, denials.maxAge());
	}

	private static void connect(RedisRateLimitStore store) {
		RateLimitStoreException failure = failure(store);
		for (int attempt = 2; attempt <= ATTEMPTS && failure != null && UNSURE.contains(failure.getKind()); attempt++) {
			failure = failure(store);
		}
		if (failure != null) {
			store.close();
			throw new InvalidRateLimitConfigurationException(
					"The property 'ratelimit.redis.fail-fast' is 'true', and Redis cannot be reached: "
							+ failure.getKind().id(),
					"Start Redis, correct 'spring.data.redis', or set 'ratelimit.redis.fail-fast' to 'false'.",
					failure);
		}
	}

	private static @Nullable RateLimitStoreException failure(RedisRateLimitStore store) {
		try {
			store.connect();
			return null;
		}
		catch (RateLimitStoreException ex) {
			return ex;
		}
	}

	private static Redis valid(Redis redis) {
		require(redis.timeout().toMillis() >= 1, "timeout", redis.timeout(), "must be at least 1ms");
		require(redis.connectTimeout().toMillis() >= 1, "connect-timeout", redis.connectTimeout(),
				"must be at least 1ms");
		DenialCache denials = redis.denialCache();
		require(denials.maxKeys() >= 1, "denial-cache.max-keys", denials.maxKeys(), "must be at least 1");
		require(denials.maxAge().toMillis() >= 1, "denial-cache.max-age", denials.maxAge(), "must be at least 1ms");
		return redis;
	}

	private static void require(boolean valid, String name, Object value, String requirement) {
		if (!valid) {
			String property = "ratelimit.redis." + name;
			throw new InvalidRateLimitConfigurationException(
					"The property '" + property + "' " + requirement + ", was '" + value + "'",
					"Correct the property '" + property + "'.", null);
		}
	}

}

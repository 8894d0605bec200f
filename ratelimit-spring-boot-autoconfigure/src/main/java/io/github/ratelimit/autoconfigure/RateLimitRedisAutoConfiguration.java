package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link AutoConfiguration Auto-configuration} for the Redis store, on the connections
 * that {@code spring.data.redis} configures.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "redis", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
@ImportRuntimeHints(RateLimitRuntimeHints.class)
public final class RateLimitRedisAutoConfiguration {

	@Bean(initMethod = "warmUp")
	@ConditionalOnBean(RedisConnectionFactory.class)
	@ConditionalOnMissingBean(RateLimitStore.class)
	RedisRateLimitStore rateLimitStore(RedisConnectionFactory connections, RateLimitProperties properties) {
		Duration timeout = properties.redis().timeout();
		require(timeout.toMillis() >= 1, "timeout", timeout, "must be at least 1ms");
		String prefix = properties.redis().keyPrefix();
		require(prefix.matches("[\\x21-\\x7e&&[^{}]]{1,64}"), "key-prefix", prefix,
				"must be 1 to 64 visible ASCII characters without braces");
		return RedisRateLimitStore.on(connections, prefix, timeout);
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

package io.github.ratelimit.autoconfigure.redis;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.store.SharedStore;
import io.github.ratelimit.autoconfigure.store.StoreChoice;
import io.github.ratelimit.spring.check.StartCheck;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;

/**
 * {@link AutoConfiguration Auto-configuration} for stores in the Redis of
 * {@code spring.data.redis}.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitRedisAutoConfiguration {

	@Bean("io.github.ratelimit.redisClientCheck")
	StartCheck rateLimitRedisClientCheck(StoreChoice choice, Environment environment,
			ConfigurableListableBeanFactory beans) {
		return new MissingRedisClient(choice, new RedisEvidence(environment, beans));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	static class WithClient {

		@Bean("io.github.ratelimit.redisStore")
		SharedStore rateLimitRedisStore(ConfigurableListableBeanFactory beans,
				ObjectProvider<RedisStaticMasterReplicaConfiguration> masterReplica, RateLimitProperties properties,
				Environment environment) {
			return new SpringDataRedis(new ConnectionFactories(beans, properties.redis().connectionFactory()),
					masterReplica, properties.redis(), environment, new RedisEvidence(environment, beans));
		}

	}

}

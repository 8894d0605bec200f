package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;

/**
 * {@link AutoConfiguration Auto-configuration} for stores in the Redis of
 * {@code spring.data.redis}.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitRedisAutoConfiguration {

	@Bean("io.github.ratelimit.applicationRedis")
	ApplicationRedis rateLimitApplicationRedis(ConfigurableListableBeanFactory beans,
			ObjectProvider<RedisStaticMasterReplicaConfiguration> masterReplica, RateLimitProperties properties,
			Environment environment) {
		return new SpringDataRedis(new ConnectionFactories(beans, properties.redis().connectionFactory()),
				masterReplica, properties.redis(), environment, new RedisEvidence(environment, beans));
	}

	@Bean("io.github.ratelimit.preloadStep")
	StartStep rateLimitPreloadStep(RateLimitStore store, Policies policies, RateLimitProperties properties) {
		return new StartStep(() -> {
			if (store instanceof RedisRateLimitStore redis) {
				redis.preload(policies, properties.redis().connectTimeout());
			}
		});
	}

	/** Counts instances while a policy divides its limits among them. */
	@Bean("io.github.ratelimit.instanceCount")
	SmartInitializingSingleton rateLimitInstanceCount(RateLimitStore store, Policies policies) {
		return () -> {
			if (store instanceof RedisRateLimitStore inRedis) {
				inRedis.countInstancesWhile(policies::haveAutoShares);
			}
		};
	}

	@Bean("io.github.ratelimit.redisCheck")
	SmartInitializingSingleton rateLimitRedisCheck(RateLimitStore store, ApplicationRedis redis, Findings findings) {
		return () -> {
			if (store instanceof RedisRateLimitStore inRedis) {
				inRedis.afterFirstReply(() -> redis.check(findings));
			}
		};
	}

}

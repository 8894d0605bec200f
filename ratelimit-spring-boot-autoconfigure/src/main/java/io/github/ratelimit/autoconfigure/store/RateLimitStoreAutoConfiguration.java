package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} for the store. It is chosen by a bean
 * rather than by conditions, so that an application that was processed ahead of time
 * chooses it when it starts.
 */
@AutoConfiguration(after = RateLimitRedisAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitStoreAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RateLimitStoreAutoConfiguration.class);

	@Bean("io.github.ratelimit.storeChoice")
	@ConditionalOnMissingBean({ RateLimitStore.class, StoreChoice.class })
	StoreChoice rateLimitStoreChoice(RateLimitProperties properties, ObjectProvider<ApplicationRedis> redis) {
		StoreChoice choice = StoreChoice.of(properties, redis.getIfAvailable());
		logger.info("Rate limits are counted " + choice.stores().place() + ", as " + choice.reason());
		return choice;
	}

	@Bean("io.github.ratelimit.ownStoreChoice")
	@ConditionalOnMissingBean(StoreChoice.class)
	StoreChoice rateLimitOwnStoreChoice(RateLimitProperties properties, ObjectProvider<ApplicationRedis> redis) {
		StoreChoice choice = StoreChoice.own(properties, redis.getIfAvailable());
		logger.info("Rate limits are counted by a bean, as " + choice.reason());
		return choice;
	}

	@Bean("io.github.ratelimit.redisClientCheck")
	StartCheck rateLimitRedisClientCheck(StoreChoice choice, Environment environment,
			ConfigurableListableBeanFactory beans) {
		return new MissingRedisClient(choice, new RedisEvidence(environment, beans));
	}

	@Bean("io.github.ratelimit.store")
	@ConditionalOnMissingBean
	RateLimitStore rateLimitStore(StoreChoice choice) {
		return choice.stores().counts();
	}

	@Bean("io.github.ratelimit.localStore")
	LocalStore rateLimitLocalStore(RateLimitStore store, RateLimitProperties properties) {
		return new LocalStore((store instanceof MemoryRateLimitStore memory) ? memory
				: new MemoryStores(properties.memory()).counts());
	}

	@Bean("io.github.ratelimit.controlStore")
	@ConditionalOnMissingBean
	ControlStore rateLimitControlStore(StoreChoice choice) {
		return choice.stores().controls();
	}

}

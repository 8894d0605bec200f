package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.CompositeListener;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.properties.PolicyReader;
import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Http;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.StoreType;
import io.github.ratelimit.autoconfigure.store.RateLimitRedisAutoConfiguration;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.override.OverrideCache;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.util.unit.DataSize;

/**
 * {@link AutoConfiguration Auto-configuration} for the {@link RateLimiter}, its policies
 * and, if there is no other store, the memory store.
 */
@AutoConfiguration(after = RateLimitRedisAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
@ImportRuntimeHints(RateLimitRuntimeHints.class)
public final class RateLimitAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RateLimitAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean(RateLimitStore.class)
	MemoryRateLimitStore rateLimitStore(RateLimitProperties properties) {
		if (properties.store() == StoreType.REDIS) {
			throw new InvalidRateLimitConfigurationException(
					"The property 'ratelimit.store' is 'redis', but there is no RedisConnectionFactory bean",
					"Add spring-boot-starter-data-redis, or set 'ratelimit.store' to 'memory'.", null);
		}
		logger.info("Rate limits are counted in memory, each instance on its own");
		return memoryStore(properties);
	}

	@Bean
	LocalStore rateLimitLocalStore(RateLimitStore store, RateLimitProperties properties) {
		return new LocalStore((store instanceof MemoryRateLimitStore memory) ? memory : memoryStore(properties));
	}

	@Bean
	@ConditionalOnMissingBean
	Policies rateLimitPolicies(RateLimitProperties properties, KeyResolvers keyResolvers) {
		return new Policies(
				new PolicyReader(keyResolvers, PolicyReader.standard(properties)).read(properties.policies()));
	}

	@Bean
	KeyResolvers rateLimitKeyResolvers(RateLimitProperties properties, Environment environment,
			ObjectProvider<RateLimitListener> listeners, ListableBeanFactory beans) {
		ClientIp clientIp = clientIp(properties.http());
		ForwardedHeaders headers = new ForwardedHeaders(environment, beans);
		Supplier<RateLimitListener> all = SingletonSupplier
			.of(() -> new CompositeListener(listeners.orderedStream().toList()));
		return new KeyResolvers(SingletonSupplier.of(() -> {
			headers.warn();
			return clientIp;
		}), (name) -> bean(name, KeyResolver.class, beans), (name) -> bean(name, PlanResolver.class, beans), all);
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimiter rateLimiter(Policies policies, RateLimitStore store, LocalStore local,
			ObjectProvider<RateLimitListener> listeners, ListableBeanFactory beans) {
		LimitOverrides overrides = cached(beans.getBeanProvider(LimitOverrides.class).getIfAvailable(),
				beans.getBeanProvider(OverrideCache.class).getIfAvailable());
		return new RateLimiter(policies, store, local.counts(), listeners.orderedStream().toList(), overrides);
	}

	private static LimitOverrides cached(@Nullable LimitOverrides source, @Nullable OverrideCache cache) {
		if (source == null) {
			return LimitOverrides.NONE;
		}
		if (cache == null) {
			throw new InvalidRateLimitConfigurationException(
					"There is a LimitOverrides bean, but no Caffeine to remember its answers",
					"Add com.github.ben-manes.caffeine:caffeine.", null);
		}
		return cache.over(source);
	}

	private static MemoryRateLimitStore memoryStore(RateLimitProperties properties) {
		int maxKeys = properties.memory().maxKeys();
		DataSize maxLogSize = properties.memory().maxLogSize();
		requireOne("ratelimit.memory.max-keys", maxKeys);
		if (maxLogSize == null) {
			return new MemoryRateLimitStore(maxKeys);
		}
		requireOne("ratelimit.memory.max-log-size", maxLogSize.toBytes());
		return new MemoryRateLimitStore(maxKeys, maxLogSize.toBytes());
	}

	private static void requireOne(String property, long value) {
		if (value < 1) {
			throw new InvalidRateLimitConfigurationException(
					"The property '" + property + "' must be at least 1, was " + value,
					"Correct the property '" + property + "'.", null);
		}
	}

	private static ClientIp clientIp(Http http) {
		int prefix = http.ipv6Prefix();
		PropertyCheck.checked("ratelimit.http.ipv6-prefix", prefix, () -> new ClientIp(List.of(), prefix));
		List<String> proxies = http.trustedProxies();
		return PropertyCheck.checked("ratelimit.http.trusted-proxies", proxies, () -> new ClientIp(proxies, prefix));
	}

	private static <T> T bean(String name, Class<T> type, BeanFactory beans) {
		try {
			return beans.getBean(name, type);
		}
		catch (BeansException ex) {
			throw new IllegalArgumentException("there is no " + type.getSimpleName() + " bean named '" + name + "'",
					ex);
		}
	}

}

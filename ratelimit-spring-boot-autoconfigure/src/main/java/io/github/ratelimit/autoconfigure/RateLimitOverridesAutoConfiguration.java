package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.autoconfigure.failure.PropertyRange;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Overrides;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.override.OverrideCache;
import io.github.ratelimit.spring.override.OverrideCache.Settings;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the cache of {@link LimitOverrides}.
 */
@AutoConfiguration(before = RateLimitAutoConfiguration.class)
@ConditionalOnClass(Caffeine.class)
@ConditionalOnBean(LimitOverrides.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitOverridesAutoConfiguration {

	private static final String PROPERTY = RateLimitProperties.PREFIX + ".overrides.";

	/** The most concurrent lookups, each of which has a thread. */
	private static final int MOST_LOOKUPS = 1000;

	@Bean("io.github.ratelimit.overrideCache")
	OverrideCache rateLimitOverrideCache(Policies policies, RateLimitProperties properties) {
		Overrides overrides = properties.overrides();
		requirePositive("expire-after-write", overrides.expireAfterWrite());
		requirePositive("timeout", overrides.timeout());
		PropertyRange.require(overrides.maxKeys() >= 1, PROPERTY + "max-keys", "be at least 1", overrides.maxKeys());
		PropertyRange.require(overrides.maxLookups() >= 1 && overrides.maxLookups() <= MOST_LOOKUPS,
				PROPERTY + "max-lookups", "be from 1 to " + MOST_LOOKUPS, overrides.maxLookups());
		return new OverrideCache(policies, new Settings(overrides.expireAfterWrite(), overrides.maxKeys(),
				overrides.timeout(), overrides.maxLookups()));
	}

	private static void requirePositive(String name, Duration duration) {
		PropertyRange.require(!duration.isNegative() && !duration.isZero(), PROPERTY + name, "be above 0", duration);
	}

}

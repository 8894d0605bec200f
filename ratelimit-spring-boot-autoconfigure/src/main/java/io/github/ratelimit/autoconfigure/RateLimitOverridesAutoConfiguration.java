package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.InvalidRateLimitException;
import io.github.ratelimit.LimitOverrides;
import io.github.ratelimit.Policies;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Overrides;
import io.github.ratelimit.spring.override.OverrideCache;

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

	@Bean
	OverrideCache rateLimitOverrideCache(Policies policies, RateLimitProperties properties) {
		Overrides overrides = properties.overrides();
		requirePositive("expire-after-write", overrides.expireAfterWrite());
		requirePositive("timeout", overrides.timeout());
		if (overrides.maxKeys() < 1) {
			throw new InvalidRateLimitException(
					"The property '" + PROPERTY + "max-keys' must be at least 1, was " + overrides.maxKeys(),
					"Correct the property '" + PROPERTY + "max-keys'.", null);
		}
		return new OverrideCache(policies, overrides.expireAfterWrite(), overrides.maxKeys(), overrides.timeout());
	}

	private static void requirePositive(String name, Duration duration) {
		if (duration.isNegative() || duration.isZero()) {
			throw new InvalidRateLimitException(
					"The property '" + PROPERTY + name + "' must be above 0, was '" + duration + "'",
					"Correct the property '" + PROPERTY + name + "'.", null);
		}
	}

}

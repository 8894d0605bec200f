package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.actuate.RateLimitHealthIndicator;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for {@code ratelimit} in
 * {@code /actuator/health}.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("ratelimit")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitHealthAutoConfiguration {

	@Bean("ratelimitHealthIndicator")
	@ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
	RateLimitHealthIndicator rateLimitHealthIndicator(RateLimitStore store, Policies policies) {
		return new RateLimitHealthIndicator(store, policies);
	}

}

package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.actuate.RateLimitControlsEndpoint;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for {@code /actuator/ratelimits} and
 * {@code /actuator/ratelimitcontrols}.
 */
@AutoConfiguration(after = RateLimitControlAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	RateLimitsEndpoint rateLimitsEndpoint(Policies policies, RateLimitStore store, RateLimiter limiter,
			KeyResolvers keys, Controls controls) {
		return new RateLimitsEndpoint(policies, store, limiter, keys, controls);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	RateLimitControlsEndpoint rateLimitControlsEndpoint(Controls controls, ApplicationEventPublisher events) {
		return new RateLimitControlsEndpoint(controls, events);
	}

}

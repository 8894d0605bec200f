package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.spring.metrics.DecisionObservations;
import io.github.ratelimit.spring.metrics.ObservationScopes;
import io.github.ratelimit.spring.metrics.RateLimitObservationConvention;
import io.github.ratelimit.spring.metrics.RateLimitObservations;
import io.github.ratelimit.store.RateLimitStore;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the limiter's observations.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitObservationAutoConfiguration {

	@Bean("io.github.ratelimit.observations")
	@ConditionalOnMissingBean
	RateLimitObservations rateLimitObservations(ObservationRegistry registry) {
		return new RateLimitObservations(registry);
	}

	@Bean("io.github.ratelimit.observationScopes")
	ObservationScopes rateLimitObservationScopes(ObservationRegistry registry) {
		return new ObservationScopes(registry);
	}

	@Bean("io.github.ratelimit.decisionObservations")
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty("ratelimit.observe-decisions")
	DecisionObservations rateLimitDecisionObservations(ObservationRegistry registry, RateLimitStore store,
			ObjectProvider<RateLimitObservationConvention> convention) {
		return new DecisionObservations(registry, store, convention.getIfAvailable());
	}

}

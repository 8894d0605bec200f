package io.github.ratelimit.autoconfigure;

import java.util.function.UnaryOperator;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.autoconfigure.properties.NearLimitReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.store.LocalStore;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.metrics.RateLimitMetrics;
import io.github.ratelimit.spring.override.OverrideCache;
import io.github.ratelimit.store.RateLimitStore;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link AutoConfiguration Auto-configuration} for the limiter's meters.
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, RateLimitObservationAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitMetricsAutoConfiguration {

	@Bean("io.github.ratelimit.metrics")
	@ConditionalOnMissingBean
	RateLimitMetrics rateLimitMetrics(MeterRegistry registry, RateLimitStore store, LocalStore local,
			@Qualifier("io.github.ratelimit.observationScopes") ObjectProvider<UnaryOperator<RateLimitListener>> scopes,
			RateLimitProperties properties) {
		return new RateLimitMetrics(registry, store, local.counts(), scopes.getIfAvailable(UnaryOperator::identity),
				NearLimitReader.read(properties));
	}

	/** Registers the counters of all policies once annotated beans have added theirs. */
	@Bean("io.github.ratelimit.metersAtStart")
	SmartInitializingSingleton rateLimitMetersAtStart(RateLimitMetrics metrics, Policies policies) {
		return () -> metrics.register(policies.names());
	}

	@Bean("io.github.ratelimit.operatorMeters")
	OperatorMeters rateLimitOperatorMeters(MeterRegistry registry, LastReload last, Findings findings,
			Controls controls) {
		return new OperatorMeters(registry, last, findings, controls);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Caffeine.class)
	@ConditionalOnBean(OverrideCache.class)
	static class Overrides {

		@Bean("io.github.ratelimit.overrideMeters")
		OverrideMeters rateLimitOverrideMeters(MeterRegistry registry, OverrideCache cache) {
			return new OverrideMeters(registry, cache);
		}

	}

}
